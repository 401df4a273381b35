// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Engines: implementations of halftoning. Each is an object with a name and a
// probe. A program lists the engines that it can reach, and uses the best one,
// or the one that its user names.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "halftone/run/session.h"

namespace halftoned {

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string_view name() const = 0;
  // What the engine requires of the machine, as text for people.
  virtual std::string_view needs() const = 0;
  // The engine with the highest priority is tried first.
  virtual int priority() const = 0;
  // Whether this machine has what the engine needs; kUnavailable, with the
  // reason, if not.
  virtual Result<void> Probe() const = 0;
  // Whether the engine supports exactly this recipe; kUnavailable if not.
  virtual Result<void> Serves(const Recipe& recipe) const = 0;
  // kBadInput if the order contradicts itself, kUnavailable if this engine
  // cannot serve it, now or ever.
  virtual Result<std::unique_ptr<Session>> Open(
      const PageOrder& order) const = 0;
  // The approximate amount of this machine's memory for a page of this order,
  // beyond its bands and the memory for a recipe that does not look ahead.
  virtual size_t LookAheadBytes(const PageOrder& /*order*/) const { return 0; }
  // Bytes of a device's memory that Open takes for this order.
  virtual size_t DeviceBytes(const PageOrder& /*order*/) const { return 0; }
  // Whether caller-owned memory must be held.
  virtual bool needs_hold() const { return false; }
  // Prepares caller-owned memory for the bands of many pages, which can take
  // long. The memory stays prepared as long as the caller keeps the result,
  // which must outlive those pages. Any thread can call Hold, and destroy the
  // result. is_written: true if the memory is for bits.
  virtual Result<std::shared_ptr<void>> Hold(std::span<std::byte> /*memory*/,
                                             bool /*is_written*/) const {
    return std::shared_ptr<void>();
  }
};

using EngineList = std::vector<std::unique_ptr<Engine>>;

// The engine called `name`. The error, kBadInput, lists all names.
Result<const Engine*> FindEngine(const EngineList& engines,
                                 std::string_view name);

// The engine called `name`, or for "auto" the one of highest priority that runs
// here and serves `recipe`. kBadInput for a name that is not listed.
Result<const Engine*> ChooseEngine(const EngineList& engines,
                                   std::string_view name, const Recipe& recipe);

}  // namespace halftoned
