// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The server's options on its command line.

#pragma once

#include <cups/cups.h>
#include <pappl/pappl.h>

#include <optional>
#include <string>

#include "printer_app/server/folders.h"

namespace halftoned {

// Defaults in seconds.
inline constexpr int kClientTimeout = 300;
inline constexpr int kPageTimeout = 30;
inline constexpr int kAnswerTimeout = 60;

class ServerOptions {
 public:
  ServerOptions(int count, cups_option_t* options)
      : count_(count), options_(options) {}

  const char* Find(const char* name) const {
    return cupsGetOption(name, count_, options_);
  }

  // A message about the first option that has an unknown name or no value;
  // empty if there is no such option.
  std::string Fault() const;
  // Nothing if a word is unknown.
  std::optional<pappl_soptions_t> Server() const;
  std::optional<pappl_loglevel_t> Level() const;
  std::string LogFile(const Folders& folders) const;
  // A number of 1 ... most, or `otherwise` if there is none.
  std::optional<int> Number(const char* name, int most, int otherwise) const;
  // False if the option is missing; nothing if its value is neither true nor
  // false.
  std::optional<bool> Truth(const char* name) const;

 private:
  const int count_;
  cups_option_t* const options_;
};

}  // namespace halftoned
