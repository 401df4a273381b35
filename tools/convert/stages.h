// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three stages of a page, wrapped to measure their time and to add the name
// of the file to errors.

#pragma once

#include <chrono>
#include <new>
#include <string>

#include "halftone/run/flow.h"
#include "halftone/run/session.h"

namespace halftoned {

using Seconds = std::chrono::duration<double>;

// Adds its lifetime to `sum`.
class Stopwatch {
 public:
  explicit Stopwatch(Seconds& sum) : sum_(sum) {}
  ~Stopwatch() { sum_ += std::chrono::steady_clock::now() - start_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  Seconds& sum_;
  const std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
};

inline Error InFile(const std::string& file, const Error& error) {
  return {error.code, file + ": " + error.message};
}

struct Stage {
  std::string file;
  Seconds seconds{};

  template <typename Work>
  auto Do(Work work) -> decltype(work()) {
    const Stopwatch watch(seconds);
    // Running out of memory fails only this image's job.
    try {
      auto result = work();
      if (!result.ok()) return InFile(file, result.error());
      return result;
    } catch (const std::bad_alloc&) {
      return InFile(file, IoError("not enough memory"));
    }
  }
};

class StagedSource : public Source {
 public:
  StagedSource(Source& source, Stage& stage) : source_(source), stage_(stage) {}
  Result<Filled> Read(GrayRoom room) override {
    return stage_.Do([&] { return source_.Read(room); });
  }
  void Cancel() override { source_.Cancel(); }

 private:
  Source& source_;
  Stage& stage_;
};

class StagedSession : public Session {
 public:
  StagedSession(Session& session, Stage& stage)
      : session_(session), stage_(stage) {}
  Result<GrayRoom> Lend() override {
    return stage_.Do([&] { return session_.Lend(); });
  }
  Result<void> Submit(int32_t rows, bool last) override {
    return stage_.Do([&] { return session_.Submit(rows, last); });
  }
  Result<Finished> Take() override {
    return stage_.Do([&] { return session_.Take(); });
  }
  bool Ready() override { return session_.Ready(); }

 private:
  Session& session_;
  Stage& stage_;
};

class StagedSink : public Sink {
 public:
  StagedSink(Sink& sink, Stage& stage) : sink_(sink), stage_(stage) {}
  Result<void> Write(const BitBand& bits) override {
    return stage_.Do([&] { return sink_.Write(bits); });
  }

 private:
  Sink& sink_;
  Stage& stage_;
};

}  // namespace halftoned
