// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop that every program runs: rows from a source through a session into
// a sink. Reading goes on ahead on a thread of its own, so that reading,
// halftoning and writing overlap; the session bounds how far. Sources and
// sinks report errors by their results; they must not throw.

#ifndef HALFTONED_HALFTONE_FLOW_H_
#define HALFTONED_HALFTONE_FLOW_H_

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "halftone/band.h"
#include "halftone/session.h"

namespace halftoned {

struct Filled {
  int32_t rows;  // 0 only when the page ended before this band
  bool last;
};

class Source {
 public:
  virtual ~Source() = default;

  // Fills the next rows of the page, from `room`'s first row on; it may fill
  // fewer than there is room for. Called by one thread at a time, not always
  // the same one.
  virtual Result<Filled> Read(GrayRoom room) = 0;

  // Called from another thread when the page ends early while a Read may be
  // waiting for somebody: it must return an error soon, now or when it comes.
  virtual void Cancel() {}
};

class Sink {
 public:
  virtual ~Sink() = default;

  // The next rows of the page, at least one. Called on the thread that called
  // Flow::Run.
  virtual Result<void> Write(const BitBand& bits) = 0;

  // Called for each answer of the session, empty ones included. Whoever passes
  // answers on, with their carry, does it here.
  virtual Result<void> Answer(const Finished& finished) {
    if (finished.bits.rows == 0) return {};
    return Write(finished.bits);
  }
};

// Runs pages one after another; keeps the reading thread between them, and
// starts it only for a page of several bands. Used by one thread.
class Flow {
 public:
  Flow();
  ~Flow();
  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;

  // Moves the page of `source` to `sink`. On an error the page has ended:
  // nothing reads from `source` or writes to `sink` any more. kUnavailable if
  // the system has no thread for it.
  Result<void> Run(Source& source, Session& session, Sink& sink);

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_FLOW_H_
