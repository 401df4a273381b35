// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/descriptor.h"
#include "base/json.h"
#include "base/text.h"

namespace halftoned {
namespace {

constexpr auto kBetweenLines = std::chrono::milliseconds(100);
constexpr int kBarLength = 24;

std::string Duration(double seconds) {
  const auto whole = static_cast<long>(std::min(seconds, 1e6) + 0.5);
  char text[32];
  std::snprintf(text, sizeof(text), "%ld:%02ld", whole / 60, whole % 60);
  return text;
}

double Rounded(Seconds time) { return RoundedTo(1e6, time.count()); }

// A longer line would wrap and could not be erased.
size_t TerminalColumns() {
  winsize size{};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
  return is_known && size.ws_col > 1 ? size.ws_col : 80;
}

}  // namespace

Console::Console(bool progress, size_t files)
    : shows_progress_(progress && ::isatty(STDERR_FILENO)), files_(files) {}

Console::~Console() { ClearLine(); }

void Console::ClearLine() {
  if (is_line_shown_) std::fputs("\r\033[K", stderr);
  is_line_shown_ = false;
}

void Console::ShowError(const Error& error) {
  const std::lock_guard lock(mutex_);
  ClearLine();
  std::fprintf(stderr, "halftone: %s\n", Printable(error.message).c_str());
}

Result<void> Console::PrintReport(const ConvertJob& job, const Report& report,
                                  std::string_view engine) {
  const std::lock_guard lock(mutex_);
  // Standard output may be the same terminal.
  ClearLine();
  std::fflush(stderr);
  Json json;
  json["input"] = job.input;
  json["output"] = job.output;
  json["engine"] = engine;
  json["pages"] = report.pages;
  json["pixels"] = report.pixels;
  Json& seconds = json["seconds"];
  seconds["total"] = Rounded(report.total);
  seconds["read"] = Rounded(report.reading);
  seconds["halftone"] = Rounded(report.halftoning);
  seconds["write"] = Rounded(report.writing);
  std::fputs(JsonLine(json).c_str(), stdout);
  return FlushStandardOutput();
}

void Console::EndFile() {
  const std::lock_guard lock(mutex_);
  ++files_done_;
}

void Console::Advance(const std::string& input, int64_t page, int64_t pixels,
                      double page_done) {
  if (!shows_progress_) return;
  const std::lock_guard lock(mutex_);
  pixels_ += pixels;
  const auto now = Clock::now();
  if (now - shown_at_ < kBetweenLines) return;
  shown_at_ = now;

  // Sizes of files are unknown until they are opened, so all files count the
  // same.
  const double done = files_ == 1
                          ? page_done
                          : (static_cast<double>(files_done_) + page_done) /
                                static_cast<double>(files_);
  const double seconds = Seconds(now - start_).count();
  std::string bar(kBarLength, '.');
  std::fill_n(bar.begin(), static_cast<int>(done * kBarLength), '#');
  char line[160];
  std::snprintf(line, sizeof(line),
                "[%s] %3.0f %%  %.0f Mpx/s  %s left  page %lld  ", bar.c_str(),
                100 * done, static_cast<double>(pixels_) / seconds / 1e6,
                Duration(seconds * (1 - done) / std::max(done, 1e-3)).c_str(),
                static_cast<long long>(page));
  const std::string name = input.substr(input.rfind('/') + 1);
  std::fprintf(stderr, "\r%s\033[K",
               Printable(line + name, TerminalColumns() - 1).c_str());
  is_line_shown_ = true;
}

}  // namespace halftoned
