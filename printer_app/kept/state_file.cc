// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/state_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sstream>

#include "printer_app/kept/whole_file.h"
#include "printer_app/matching/device_id_text.h"

namespace halftoned {
namespace {

constexpr char kDeviceId[] = "did";

}  // namespace

StateLine::StateLine(const std::string& text)
    : count_(cupsParseOptions(text.c_str(), 0, &options_)) {}

const char* StateLine::Find(const char* name) const {
  return cupsGetOption(name, count_, options_);
}

int StateLine::Number(const char* name) const {
  const char* value = Find(name);
  return value ? std::atoi(value) : 0;
}

void StateLine::Set(const char* name, const std::string& value) {
  count_ = cupsAddOption(name, value.c_str(), count_, &options_);
}

std::string StateLine::Text() const {
  std::string text;
  for (int i = 0; i < count_; ++i) {
    text += std::string(" ") + options_[i].name + "=\"";
    for (const char* c = options_[i].value; *c; ++c) {
      if (*c == '\\' || *c == '"') text += '\\';
      text += *c == '\n' || *c == '\r' ? ' ' : *c;
    }
    text += '"';
  }
  return text;
}

std::string PrinterLine(StateLine& fields) {
  const auto line = [&] { return "<Printer" + fields.Text() + '>'; };
  const char* device_id = fields.Find(kDeviceId);
  if (line().size() <= kLongestStateLine || !device_id) return line();
  const std::string id = device_id;
  fields.Set(kDeviceId, "");
  const size_t others = std::min(line().size(), kLongestStateLine);
  fields.Set(kDeviceId, CleanDeviceId(id, std::min(kLongestStateLine - others,
                                                   kLongestDeviceId)));
  return line();
}

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
  HALFTONED_TRY_ASSIGN(const std::string text, ReadWhole(path));
  return CountPrinters(text);
}

Result<KeptState> ReadState(const Folders& folders) {
  const std::string file = folders.StateFile();
  if (access(file.c_str(), F_OK) != 0 && errno == ENOENT) return KeptState();
  HALFTONED_TRY_ASSIGN(std::string text, ReadWhole(file));
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

}  // namespace halftoned
