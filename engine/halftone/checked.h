// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An engine that is not taken at its word: one band in so many is computed by
// another engine too, from the same gray and the carry above, and given out
// only if bits and carry are the same. For recipes whose rows are finished with
// the band that they came in.
//
// Where the gray lies in memory that others can write to, a band that is to be
// checked is copied first, and both engines see the copy: else a client could
// make any engine look wrong.

#ifndef HALFTONED_HALFTONE_CHECKED_H_
#define HALFTONED_HALFTONE_CHECKED_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "halftone/engine.h"

namespace halftoned {

class CheckedEngine : public Engine {
 public:
  struct Options {
    uint32_t one_in = 64;  // 0: none is checked
    // Called by a session's thread when a bit was wrong, before it says so.
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
  Result<std::shared_ptr<void>> Hold(std::span<std::byte> memory,
                                     bool is_written) const override {
    return checked_.Hold(memory, is_written);
  }

  // Bands that were the same.
  uint64_t checks() const;

 private:
  class Desk;
  class Checked;

  const Engine& checked_;
  const std::unique_ptr<Desk> desk_;
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_CHECKED_H_
