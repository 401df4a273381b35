// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the index of a pixel whose color is in the palette, with one lookup.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace halftoned {

class FlatTable {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  FlatTable() { slots_.fill(kNone); }

  // entries: colors as KeyOf returns them, with their indices; if a color
  // occurs twice, the first entry counts.
  explicit FlatTable(std::span<const std::pair<uint32_t, int>> entries) {
    while (!Fill(entries)) factor_ += 2;
  }

  static uint32_t KeyOf(const uint8_t* rgb) {
    return uint32_t{rgb[0]} << 16 | uint32_t{rgb[1]} << 8 | rgb[2];
  }

  // -1: there is none.
  int Find(uint32_t key) const {
    const uint32_t found = slots_[SlotOf(key)];
    return found >> 8 == key && found != kNone ? static_cast<int>(found & 0xff)
                                               : -1;
  }

 private:
  size_t SlotOf(uint32_t key) const { return key * factor_ >> 22; }

  // False if two colors need the same slot.
  bool Fill(std::span<const std::pair<uint32_t, int>> entries) {
    slots_.fill(kNone);
    for (const auto& [key, index] : entries) {
      uint32_t& slot = slots_[SlotOf(key)];
      if (slot != kNone && slot >> 8 != key) return false;
      if (slot == kNone) slot = key << 8 | static_cast<uint32_t>(index);
    }
    return true;
  }

  uint32_t factor_ = 0x9e3779b1;
  std::array<uint32_t, 1024> slots_;
};

}  // namespace halftoned
