// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop that every program runs: rows from a source through a session into a
// sink. A separate thread reads ahead, so that reading, halftoning and writing
// overlap; the session limits how far ahead. As long as a session answers bands
// as soon as they are submitted, one thread does everything. Sources and sinks
// return errors and must not throw.

#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "halftone/page/band.h"
#include "halftone/run/session.h"

namespace halftoned {

struct Filled {
  int32_t rows;  // 0 only when the page ended before this band
  bool last;
};

class Source {
 public:
  virtual ~Source() = default;

  // Fills the first rows of `room` with the next rows of the page, possibly
  // with fewer than fit. Called by one thread at a time, not always the same
  // one.
  virtual Result<Filled> Read(GrayRoom room) = 0;

  // Called from another thread when the page ends early and a Read may be
  // blocked. That Read, or the next one, must return an error soon.
  virtual void Cancel() {}
};

class Sink {
 public:
  virtual ~Sink() = default;

  // The next rows of the page, at least one. Called on the thread that called
  // Flow::Run.
  virtual Result<void> Write(const BitBand& bits) = 0;

  // Called for each answer of the session, empty ones included. Override it to
  // forward whole answers with their carry.
  virtual Result<void> Answer(const Finished& finished) {
    if (finished.bits.rows == 0) return {};
    return Write(finished.bits);
  }
};

// Runs pages one after another. Keeps the reading thread between pages, and
// starts it only for a page with something to read ahead. Used by one thread.
class Flow {
 public:
  Flow();
  ~Flow();
  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;

  // Moves the page of `source` to `sink`. After an error nothing uses `source`
  // or `sink` any longer. kUnavailable if the system cannot start a thread.
  Result<void> Run(Source& source, Session& session, Sink& sink);

 private:
  class Reader;
  Result<void> StartReader();

  std::unique_ptr<Reader> reader_;
};

}  // namespace halftoned
