// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns errors of libpng, which it reports by longjmp, into return values.

#pragma once

#include <png.h>

#include <csetjmp>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/text.h"

namespace halftoned {

// Holds errors from libpng's callbacks for the caller. libpng's error pointer
// points to it.
class PngTrouble {
 public:
  void Set(const Error& error) {
    if (!error_) error_ = error;
  }

  // The error of the call that failed.
  Error Take() {
    const Error error = error_.value_or(BadInput("libpng reports no reason"));
    error_.reset();
    return error;
  }

  // libpng's error and warning functions.
  [[noreturn]] static void OnError(png_structp png, png_const_charp message) {
    static_cast<PngTrouble*>(png_get_error_ptr(png))->SetMessage(message);
    png_longjmp(png, 1);
  }
  static void OnWarning(png_structp, png_const_charp) {}

 private:
  void SetMessage(const char* message) {
    // An error from our own callback is more specific.
    const bool is_short = message == std::string_view("Not enough image data");
    Set(BadInput(is_short ? "its pixels end too early" : Printable(message)));
  }

  std::optional<Error> error_;
};

// Runs `work`, which calls libpng; false if libpng jumped out of it. `work`
// must have no objects with destructors.
template <typename Work>
bool GuardPng(png_structp png, Work work) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  work();
  return true;
}

}  // namespace halftoned
