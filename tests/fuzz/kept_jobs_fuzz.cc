// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printer application's state and spool as a start finds them. Whatever is
// there, the corrected state is whole, PAPPL finds a format in each of its
// jobs, a job waits only if its document is in the spool, and a second start
// changes nothing.
//
//   input = state *(NUL name LF mode content)
//   mode  = "w" (whole) | "b" (begun) | "s" (sent) | "f" (failed) |
//           any other octet (not whole)

#include <cups/cups.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "printer_app/handover/spooled_document.h"
#include "printer_app/kept/recovery.h"
#include "printer_app/kept/spool.h"
#include "printer_app/kept/state_file.h"

namespace {

using namespace halftoned;  // NOLINT
namespace fs = std::filesystem;

constexpr size_t kLongestName = 100;
constexpr int kMostFiles = 8;

void Expect(bool is_so) {
  if (!is_so) std::abort();
}

// A spool of this process, which its end removes.
class Spool {
 public:
  Spool() {
    const char* shared = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
    path_ = std::string(shared) + "/kept-jobs-XXXXXX";
    Expect(mkdtemp(path_.data()) != nullptr);
  }
  ~Spool() { fs::remove_all(path_); }
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  void Fill(std::string_view files) {
    fs::remove_all(path_);
    fs::create_directory(path_);
    for (int i = 0; i < kMostFiles && !files.empty(); ++i) {
      const size_t end = std::min(files.find('\0'), files.size());
      Add(files.substr(0, end));
      files.remove_prefix(std::min(end + 1, files.size()));
    }
  }
  const std::string& path() const { return path_; }

 private:
  void Add(std::string_view file) {
    const size_t end = file.find('\n');
    const std::string name(file.substr(0, std::min(end, kLongestName)));
    if (end == file.npos || name.empty() || name[0] == '.' ||
        name.find('/') != name.npos) {
      return;
    }
    const std::string path = path_ + '/' + name;
    const std::string_view content = file.substr(end + 1);
    std::ofstream(path, std::ios::binary) << content.substr(!content.empty());
    if (content.starts_with('w')) MarkWhole(path);
    if (content.starts_with('b')) MarkBegun(path);
    if (content.starts_with('s')) MarkSent(path);
    if (content.starts_with('f')) MarkFailed(path);
  }

  std::string path_;
};

bool HasFile(const char* path) { return path && fs::exists(path); }

void CheckJob(const std::string& line) {
  cups_option_t* options = nullptr;
  const int count = cupsParseOptions(line.c_str() + 4, 0, &options);
  const auto find = [&](const char* name) {
    return cupsGetOption(name, count, options);
  };
  Expect(find("id") && std::atoi(find("id")) > 0);
  Expect(find("name") && find("username") && find("format"));
  const char* state = find("state");
  if (state && std::atoi(state) < IPP_JSTATE_STOPPED) {
    Expect(HasFile(find("filename")));
  }
  cupsFreeOptions(count, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Spool spool;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t end = std::min(bytes.find('\0'), bytes.size());
  const std::string state(bytes.substr(0, end));
  spool.Fill(bytes.substr(std::min(end + 1, bytes.size())));
  const Result<int> printers = CountPrinters(state);
  if (!printers.ok()) return 0;  // the server does not start
  RemoveUnfinishedDocuments(spool.path());
  const Recovery first = *RecoverJobs(state, spool.path(), 1, size % 2 != 0);
  const Result<int> left = CountPrinters(first.state);
  Expect(first.state.empty() || (left.ok() && *left == *printers));
  std::istringstream lines(first.state);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Job ")) CheckJob(line);
  }
  Expect(RemoveForgottenDocuments(spool.path()).ok());
  const Recovery second =
      *RecoverJobs(first.state, spool.path(), 1, size % 2 != 0);
  Expect(second.state == first.state);
  return 0;
}
