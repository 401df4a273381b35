// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State that the sessions of a CheckedEngine share: which band is checked next,
// the memory of checks, and their results.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "halftone/run/checked.h"

namespace halftoned {

// Thread-safe.
class CheckedEngine::Desk {
 public:
  struct Bytes {
    size_t lead, gray, bits;
  };
  // Private memory of a band: copies of its gray and of its lead, if it has one
  // (the gray of the band before it), and the bits that each engine makes.
  // Except for `right`, it is used only if the caller's memory is shared or the
  // band has a lead.
  struct Copy {
    std::byte* lead() { return memory.data(); }
    std::byte* gray() { return memory.data() + gray_at; }
    std::byte* made() { return memory.data() + made_at; }

    std::vector<std::byte> memory;
    std::shared_ptr<void> held;  // for the engine that is checked
    size_t gray_at = 0;          // right behind the lead
    size_t made_at = 0;
    std::vector<std::byte> right;  // the bits of the reference
  };

  // The reference's work for a recipe that looks ahead; it lasts until End().
  class LongWork {
   public:
    explicit LongWork(Desk& desk) : desk_(desk) { ++desk_.long_works_; }
    ~LongWork() { End(); }
    LongWork(const LongWork&) = delete;
    LongWork& operator=(const LongWork&) = delete;
    // Any thread may call it.
    void End() {
      if (!has_ended_.exchange(true)) --desk_.long_works_;
    }
    bool has_ended() const { return has_ended_; }

   private:
    Desk& desk_;
    std::atomic<bool> has_ended_ = false;
  };
  int long_works() const { return long_works_; }

  Desk(const Engine& checked, const Engine& reference, Options options)
      : checked_(checked),
        reference_(reference),
        options_(std::move(options)) {}

  // Counts a band. Returns room to check it if a check is due and it can be
  // checked. If memory is short, the next band is checked instead; if every
  // band must be checked, short memory is an error. is_shared: whether other
  // processes can reach the caller's memory.
  Result<std::unique_ptr<Copy>> Take(const Bytes& bytes, bool is_shared,
                                     bool can_check);
  // was_used: if false, the next band that can be checked is checked instead.
  void GiveBack(std::unique_ptr<Copy> copy, bool was_used);

  const Engine& checked() const { return checked_; }
  const Engine& reference() const { return reference_; }
  // A uniformly random number below `count`.
  uint32_t Choose(uint32_t count);
  void Right() { ++checks_; }
  Error Wrong(const std::string& what);
  // A band was wrong, but right at the second attempt.
  Error WrongOnce(const std::string& what);
  uint64_t checks() const { return checks_; }

 private:
  // False if memory is short.
  bool Provide(Copy& copy, const Bytes& bytes, bool is_shared);

  static constexpr size_t kSpare = 4;
  static constexpr int kMostAccidents = 3;

  const Engine& checked_;
  const Engine& reference_;
  const Options options_;
  std::atomic<uint64_t> checks_ = 0;
  std::atomic<int> accidents_ = 0;
  std::atomic<int> long_works_ = 0;
  std::mutex mutex_;
  uint32_t bands_ = 0;  // since the last one checked
  uint32_t random_ = 1;
  std::vector<std::unique_ptr<Copy>> spare_;
};

}  // namespace halftoned
