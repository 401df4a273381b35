// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checksum against stray writes and mistakes, not against malice. Eight
// lanes of multiplications, as many as hide each other's latency, keep it well
// above the rate at which rows are made.

#ifndef HALFTONED_WIRE_CHECKSUM_H_
#define HALFTONED_WIRE_CHECKSUM_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace halftoned::wire {

inline uint32_t Checksum(std::span<const std::byte> bytes) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15u;
  uint64_t lanes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto mix = [&](const std::byte* from) {
    for (size_t i = 0; i < 8; ++i) {
      uint64_t word;
      std::memcpy(&word, from + i * sizeof(word), sizeof(word));
      const uint64_t product = (lanes[i] ^ word) * kOdd;
      lanes[i] = product ^ (product >> 32);
    }
  };
  size_t at = 0;
  for (; at + sizeof(lanes) <= bytes.size(); at += sizeof(lanes)) {
    mix(bytes.data() + at);
  }
  std::byte rest[sizeof(lanes)] = {};
  if (at < bytes.size()) {
    std::memcpy(rest, bytes.data() + at, bytes.size() - at);
  }
  mix(rest);
  uint64_t sum = bytes.size();
  for (const uint64_t lane : lanes) sum = (sum ^ lane) * kOdd;
  return static_cast<uint32_t>(sum >> 32);
}

}  // namespace halftoned::wire

#endif  // HALFTONED_WIRE_CHECKSUM_H_
