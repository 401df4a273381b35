// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output of `halftone convert`: a line for an error, a line of JSON for a
// finished file, and progress on a terminal. Several threads can use it.

#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "base/result.h"
#include "convert/convert.h"

namespace halftoned {

class Console : public ProgressListener {
 public:
  // progress: show progress if standard error is a terminal.
  Console(bool progress, size_t files);
  ~Console() override;

  void ShowError(const Error& error);
  Result<void> PrintReport(const ConvertJob& job, const Report& report,
                           std::string_view engine);

  void Advance(const std::string& input, int64_t page, int64_t pixels,
               double page_done) override;
  void EndFile();

 private:
  using Clock = std::chrono::steady_clock;

  void ClearLine();

  std::mutex mutex_;
  const bool shows_progress_;
  const size_t files_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_at_ = start_;
  bool is_line_shown_ = false;
  size_t files_done_ = 0;
  int64_t pixels_ = 0;
};

}  // namespace halftoned
