// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Engines: ways to get a page halftoned. Each is an object with a name and a
// probe; a program lists those it can reach and takes the best, or the one
// that its user names.

#ifndef HALFTONED_HALFTONE_ENGINE_H_
#define HALFTONED_HALFTONE_ENGINE_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "halftone/pool.h"
#include "halftone/session.h"

namespace halftoned {

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string_view name() const = 0;
  // What it needs of the machine, for a person.
  virtual std::string_view needs() const = 0;
  // Higher is taken first.
  virtual int priority() const = 0;
  // Whether this machine has what it needs; kUnavailable, and why, if not.
  virtual Result<void> Probe() const = 0;
  // Whether it knows exactly this recipe; kUnavailable if not.
  virtual Result<void> Serves(const Recipe& recipe) const = 0;
  // kBadInput if the order contradicts itself, kUnavailable if this engine
  // cannot serve it, or not now.
  virtual Result<std::unique_ptr<Session>> Open(
      const PageOrder& order) const = 0;
  // For who has memory of his own for the bands of many pages: makes it fit for
  // this engine, as long as the answer is kept. Those pages end first. Most
  // have nothing to do and give nothing. is_written: bits go there.
  virtual Result<std::shared_ptr<void>> Hold(std::span<std::byte> /*memory*/,
                                             bool /*is_written*/) const {
    return std::shared_ptr<void>();
  }
};

using EngineList = std::vector<std::unique_ptr<Engine>>;

// The engines that work in this process, on the threads of `pool`, which
// outlives them and their sessions.
EngineList LocalEngines(Pool& pool);

// The engine called `name`, or for "auto" the one of highest priority that runs
// here and serves `recipe`. kBadInput for a name that is not listed.
Result<const Engine*> ChooseEngine(const EngineList& engines,
                                   std::string_view name, const Recipe& recipe);

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_ENGINE_H_
