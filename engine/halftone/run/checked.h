// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An engine that is verified by another: one band in so many is computed by the
// reference too, from the same gray and the carry above, and is returned only
// if bits and carry agree.
//
// An answer of a recipe that looks ahead begins with rows of the band before;
// so when a band is due, the next one of its page is checked, or else the first
// of a page. Such recipes take processors long: only two steps of the answer's
// rows are computed, which hold it up no longer than a whole band of another
// recipe, or a few of them with print feedback. They are the first two, or lie
// anywhere below (best_start.h), where one of them settles and the other is
// compared: of an answer of `n` steps each row is compared in one check of n -
// 1, at random. All rows would cost as much as the page without a GPU. A carry
// is compared only where the rows are all. But a carry is also where the next
// check begins, and a wrong one makes other rows than the engine has. While the
// reference is at work for one such check, none is begun in other sessions: so
// a GPU that is faster than its checks does not wait for them.
//
// If the caller's memory is shared with other processes, a band to be checked
// is made in private memory: both engines read a copy of the gray, and the bits
// are copied out once they have been compared. Otherwise a client could make a
// correct engine look wrong.
//
// An engine that differs makes the band once more, from the start. If it is
// wrong again, or this is the third such accident, on_wrong is called; either
// way the page fails.

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
    uint32_t one_in = 64;  // 0: none is checked
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
