// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An engine that another engine verifies: the reference also computes one band
// in `one_in`, from the same gray and the same carry above. The engine's band
// is returned only if bits and carry agree.
//
// With a recipe that looks ahead, an answer begins with rows of the previous
// band. When a check is due, the next band of the page is therefore checked,
// together with the gray of the current one. Only the first band of a page is
// checked alone. Such recipes take a long time on CPUs, so only two steps of
// the answer's rows are computed. The answer is delayed as long as by a whole
// band of another recipe at most, or by a few such bands with print feedback.
// The two steps are the first two, or lie anywhere below (best_start.h); then
// one of them settles, and the other is compared. In an answer of `n` steps,
// each row is compared in one of n - 1 checks, at random. Computing all rows
// would cost as much as the page without a GPU. A carry is compared only if all
// rows are. However, the next check begins at a carry, and a wrong carry leads
// to rows that differ from the engine's. While the reference works on one such
// check, no other session begins one, so a GPU that is faster than its checks
// does not wait for them.
//
// If the caller's memory is shared with other processes, a band to be checked
// is made in private memory: both engines read a copy of the gray, and the bits
// are copied out once they have been compared. Otherwise a client could make a
// correct engine look wrong.
//
// If the results differ, the engine computes the band again, from the start. If
// it is wrong again, or this is the third such case, on_wrong is called; either
// way, the page fails.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "halftone/run/engine.h"

namespace halftoned {

class CheckedEngine : public Engine {
 public:
  struct Options {
    uint32_t one_in = 64;  // 0: no band is checked
    // Called on a session's thread when the engine is found to be wrong, before
    // the session returns the error.
    std::function<void(const std::string&)> on_wrong = nullptr;
  };

  // `checked` and `reference` outlive it.
  CheckedEngine(const Engine& checked, const Engine& reference,
                Options options);
  ~CheckedEngine() override;

  std::string_view name() const override { return checked_.name(); }
  std::string_view needs() const override { return checked_.needs(); }
  int priority() const override { return checked_.priority(); }
  Result<void> Probe() const override { return checked_.Probe(); }
  Result<void> Serves(const Recipe& recipe) const override {
    return checked_.Serves(recipe);
  }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override;
  size_t LookAheadBytes(const PageOrder& order) const override {
    return checked_.LookAheadBytes(order);
  }
  size_t DeviceBytes(const PageOrder& order) const override {
    return checked_.DeviceBytes(order);
  }
  bool needs_hold() const override { return checked_.needs_hold(); }
  Result<std::shared_ptr<void>> Hold(std::span<std::byte> memory,
                                     bool is_written) const override {
    return checked_.Hold(memory, is_written);
  }

  // The number of bands that agreed.
  uint64_t checks() const;

 private:
  class Desk;
  class Checked;

  const Engine& checked_;
  const std::unique_ptr<Desk> desk_;
};

}  // namespace halftoned
