// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/state_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <span>
#include <sstream>
#include <system_error>

#include "base/descriptor.h"
#include "printer_app/kept/state_line.h"

namespace halftoned {

namespace fs = std::filesystem;

namespace {

// The file has the jobs of all printers, and no limit of size.
Result<std::string> TextOf(const std::string& path) {
  HALFTONED_TRY_ASSIGN(const Descriptor file,
                       Descriptor::Open(path, O_RDONLY | O_NONBLOCK));
  struct stat status;
  if (fstat(file.get(), &status) != 0) return ErrnoError(ErrorCode::kIo, path);
  if (!S_ISREG(status.st_mode)) return BadInput(path + ": is no regular file");
  std::string text(static_cast<size_t>(status.st_size), '\0');
  const Result<size_t> size =
      ReadFully(file.get(), std::as_writable_bytes(std::span(text)));
  if (!size.ok()) return IoError(path + ": " + size.error().message);
  text.resize(*size);
  return text;
}

}  // namespace

std::vector<PrinterText> PrintersIn(const std::string& text) {
  std::vector<PrinterText> printers;
  bool is_open = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("<Printer ")) {
      const StateLine fields(line.substr(9, line.size() - 10));
      const char* name = fields.Find("name");
      const char* driver = fields.Find("driver");
      printers.push_back(
          {fields.Number("id"), name ? name : "", driver ? driver : "", ""});
      is_open = true;
    }
    if (is_open && !line.starts_with("Job ")) {
      printers.back().text += line + '\n';
    }
    is_open = is_open && line != "</Printer>";
  }
  return printers;
}

Result<int> CountPrinters(const std::string& text) {
  if (text.empty()) return BadInput("is empty");
  if (text.find('\0') != text.npos) return BadInput("is not text");
  if (text.back() != '\n') return BadInput("ends within a line");
  int printers = 0;
  bool is_open = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool begins = line.starts_with("<Printer ");
    const bool ends = line == "</Printer>";
    if (begins == ends) continue;
    if (begins == is_open) return BadInput("has an unterminated printer");
    is_open = begins;
    printers += begins;
  }
  if (is_open) return BadInput("has an unterminated printer");
  return printers;
}

Result<int> CountPrintersIn(const std::string& path) {
  HALFTONED_TRY_ASSIGN(const std::string text, TextOf(path));
  return CountPrinters(text);
}

Result<KeptState> ReadState(const Folders& folders) {
  const std::string file = folders.StateFile();
  if (access(file.c_str(), F_OK) != 0 && errno == ENOENT) return KeptState();
  HALFTONED_TRY_ASSIGN(std::string text, TextOf(file));
  const Result<int> printers = CountPrinters(text);
  if (!printers.ok()) {
    const std::string good = folders.LastGoodFile();
    const bool is_kept = access(good.c_str(), F_OK) == 0;
    return BadInput(file + ": " + printers.error().message +
                    (is_kept ? "; the last good one is " + good
                             : "; remove it to begin without printers"));
  }
  return KeptState{std::move(text), *printers};
}

Result<void> KeepAsLastGood(const Folders& folders) {
  const std::string good = folders.LastGoodFile();
  std::error_code error;
  fs::copy_file(folders.StateFile(), good + ".next",
                fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(good + ".next", good, error);
  if (error) return IoError(good + ": " + error.message());
  return {};
}

}  // namespace halftoned
