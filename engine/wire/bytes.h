// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and texts to bytes and back, little-endian. A reader that runs out of
// bytes returns zeros and remembers it: ask ok() once, at the end.

#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace halftoned::wire {

class ByteWriter {
 public:
  template <std::integral Integer>
  void Put(Integer value) {
    const auto bits = static_cast<uint64_t>(
        static_cast<std::make_unsigned_t<Integer>>(value));
    std::array<std::byte, sizeof(Integer)> little_endian;
    for (size_t i = 0; i < sizeof(Integer); ++i) {
      little_endian[i] = static_cast<std::byte>(bits >> (8 * i));
    }
    Put(std::span<const std::byte>(little_endian));
  }
  void Put(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void Reserve(size_t bytes) { bytes_.reserve(bytes); }
  // The length as u16, then the text. Precondition: at most 65535 bytes.
  void PutText(std::string_view text) {
    Put(static_cast<uint16_t>(text.size()));
    Put(std::as_bytes(std::span(text)));
  }

  // Puts numbers and texts in this order.
  template <typename... Fields>
  void PutAll(const Fields&... fields) {
    (PutField(fields), ...);
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte> Take() { return std::move(bytes_); }

 private:
  void PutField(std::integral auto value) { Put(value); }
  void PutField(std::string_view text) { PutText(text); }

  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <std::integral Integer>
  Integer Get() {
    uint64_t bits = 0;
    const auto from = GetBytes(sizeof(Integer));
    for (size_t i = 0; i < from.size(); ++i) {
      bits |= std::to_integer<uint64_t>(from[i]) << (8 * i);
    }
    return static_cast<Integer>(bits);
  }
  // Empty if fewer bytes are left.
  std::span<const std::byte> GetBytes(size_t count) {
    if (count > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const auto front = rest_.first(count);
    rest_ = rest_.subspan(count);
    return front;
  }
  std::string GetText() {
    const auto bytes = GetBytes(Get<uint16_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  // Gets numbers and texts in this order.
  template <typename... Fields>
  void GetAll(Fields&... fields) {
    (GetField(fields), ...);
  }

  std::span<const std::byte> rest() const { return rest_; }
  // No byte was missing.
  bool ok() const { return ok_; }
  // No byte was missing, and none is left.
  bool ended() const { return ok_ && rest_.empty(); }

 private:
  template <std::integral Integer>
  void GetField(Integer& value) {
    value = Get<Integer>();
  }
  void GetField(std::string& text) { text = GetText(); }

  std::span<const std::byte> rest_;
  bool ok_ = true;
};

}  // namespace halftoned::wire
