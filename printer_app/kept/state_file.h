// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of printers, in the words of PAPPL's state:
//   file    = *(line | printer)
//   printer = "<Printer " options ">" LF *line "</Printer>" LF
// A truncated file must stop the server: PAPPL would go on with the printers
// that it finds, and save only these.

#pragma once

#include <cups/cups.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "printer_app/server/folders.h"

namespace halftoned {

// The options of a line of PAPPL's state:
//   options = *(" " name "=" DQUOTE value DQUOTE)
// with a backslash before each quote and backslash of a value.
class StateLine {
 public:
  StateLine() = default;
  explicit StateLine(const std::string& text);
  ~StateLine() { cupsFreeOptions(count_, options_); }
  StateLine(const StateLine&) = delete;
  StateLine& operator=(const StateLine&) = delete;

  // Null if there is no option of this name.
  const char* Find(const char* name) const;
  // 0 if there is no such option.
  int Number(const char* name) const;
  void Set(const char* name, const std::string& value);
  void Set(const char* name, int value) { Set(name, std::to_string(value)); }
  // Always one line, even if values contain line ends.
  std::string Text() const;

 private:
  cups_option_t* options_ = nullptr;
  int count_ = 0;
};

// PAPPL reads a longer line as two, and no printer after it.
inline constexpr size_t kLongestStateLine = 2046;

// The line at which a printer begins. If it would be too long, the device ID is
// shortened. It is too long only if the other fields are.
std::string PrinterLine(StateLine& fields);

struct KeptState {
  std::string text;  // empty if there is no file
  int printers = 0;
};

struct PrinterText {
  int id = 0;
  std::string name;
  std::string driver;
  std::string text;  // all of its lines, except those of jobs
};

// The text must be whole.
std::vector<PrinterText> PrintersIn(const std::string& text);

// An error if the text is not whole; it says why.
Result<int> CountPrinters(const std::string& text);

// The same for a file.
Result<int> CountPrintersIn(const std::string& path);

Result<KeptState> ReadState(const Folders& folders);

}  // namespace halftoned
