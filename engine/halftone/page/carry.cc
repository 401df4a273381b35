// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/carry.h"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

namespace halftoned {
namespace {

constexpr std::string_view kMagic = "HTCARRY1";
constexpr size_t kHeaderBytes = 8 + 8 + 8 + 4 + 4;

template <typename Integer>
void Put(std::vector<std::byte>& out, Integer value) {
  const auto bits = static_cast<std::make_unsigned_t<Integer>>(value);
  for (size_t i = 0; i < sizeof(bits); ++i) {
    out.push_back(static_cast<std::byte>(uint64_t{bits} >> (8 * i)));
  }
}

// Precondition: `in` holds an Integer.
template <typename Integer>
Integer Get(std::span<const std::byte>& in) {
  uint64_t bits = 0;
  for (size_t i = 0; i < sizeof(Integer); ++i) {
    bits |= std::to_integer<uint64_t>(in[i]) << (8 * i);
  }
  in = in.subspan(sizeof(Integer));
  return static_cast<Integer>(bits);
}

// For many numbers: nearly all of a carry is plane data. On little-endian
// machines this is a copy; number by number, 5,000 columns take 7 µs.
void PutState(std::vector<std::byte>& out, std::span<const int16_t> state) {
  if constexpr (std::endian::native == std::endian::little) {
    const auto bytes = std::as_bytes(state);
    out.insert(out.end(), bytes.begin(), bytes.end());
  } else {
    for (const int16_t value : state) Put(out, value);
  }
}

// Precondition: `in` has at least the bytes of `state`.
void GetState(std::span<const std::byte> in, std::span<int16_t> state) {
  if constexpr (std::endian::native == std::endian::little) {
    std::ranges::copy(in.first(state.size_bytes()),
                      std::as_writable_bytes(state).begin());
  } else {
    for (int16_t& value : state) value = Get<int16_t>(in);
  }
}

// Compilers vectorize the search for the extremes; the wrong value itself is
// looked up only for the message.
Result<void> CheckValues(std::span<const int16_t> values, int16_t min,
                         int16_t max) {
  int16_t least = min;
  int16_t most = max;
  for (const int16_t value : values) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  if (least >= min && most <= max) return {};
  const auto wrong = std::ranges::find_if(
      values, [&](int16_t value) { return value < min || value > max; });
  return BadInput("carry value " + std::to_string(*wrong) + " at column " +
                  std::to_string(wrong - values.begin()) + " is not in " +
                  std::to_string(min) + " … " + std::to_string(max));
}

}  // namespace

Carry Carry::AtStart(const Recipe& recipe, const Page& page) {
  const auto planes = recipe.carry_planes();
  Carry carry;
  carry.tag_ = recipe.fingerprint();
  carry.next_row_ = page.first_row();
  carry.width_ = page.width();
  carry.state_.resize(planes.size() * static_cast<size_t>(page.width()));
  for (size_t i = 0; i < planes.size(); ++i) {
    std::ranges::fill(carry.plane(i), planes[i].start);
  }
  return carry;
}

size_t Carry::SavedBytes(const Recipe& recipe, const Page& page) {
  return kHeaderBytes + recipe.carry_planes().size() *
                            static_cast<size_t>(page.width()) * sizeof(int16_t);
}

std::vector<std::byte> Carry::Save() const {
  std::vector<std::byte> blob;
  blob.reserve(kHeaderBytes + state_.size() * sizeof(int16_t));
  for (char c : kMagic) blob.push_back(static_cast<std::byte>(c));
  Put(blob, tag_);
  Put(blob, next_row_);
  Put(blob, width_);
  Put(blob, static_cast<uint32_t>(state_.size() / static_cast<size_t>(width_)));
  PutState(blob, state_);
  return blob;
}

Result<Carry> Carry::Load(std::span<const std::byte> blob, const Recipe& recipe,
                          const Page& page) {
  if (blob.size() != SavedBytes(recipe, page)) {
    return BadInput("carry has " + std::to_string(blob.size()) +
                    " bytes, expected " +
                    std::to_string(SavedBytes(recipe, page)));
  }
  if (!std::equal(
          kMagic.begin(), kMagic.end(), blob.begin(),
          [](char c, std::byte b) { return static_cast<std::byte>(c) == b; })) {
    return BadInput("carry does not begin with HTCARRY1");
  }
  blob = blob.subspan(kMagic.size());
  Carry carry;
  carry.tag_ = Get<uint64_t>(blob);
  carry.next_row_ = Get<int64_t>(blob);
  carry.width_ = Get<int32_t>(blob);
  const auto planes = Get<uint32_t>(blob);
  if (planes != recipe.carry_planes().size()) {
    return BadInput("carry has " + std::to_string(planes) +
                    " planes, expected " +
                    std::to_string(recipe.carry_planes().size()));
  }
  carry.state_.resize(blob.size() / sizeof(int16_t));
  GetState(blob, carry.state_);
  HALFTONED_TRY(carry.CheckFor(recipe, page));
  return carry;
}

bool Carry::IsAtStart(const Recipe& recipe) const {
  const auto planes = recipe.carry_planes();
  for (size_t i = 0; i < planes.size(); ++i) {
    const auto is_start = [&](int16_t value) {
      return value == planes[i].start;
    };
    if (!std::ranges::all_of(plane(i), is_start)) return false;
  }
  return true;
}

Result<void> Carry::CheckFor(const Recipe& recipe, const Page& page) const {
  if (tag_ != recipe.fingerprint()) {
    return BadInput("carry belongs to another recipe");
  }
  if (width_ != page.width()) {
    return BadInput("carry is " + std::to_string(width_) +
                    " columns wide, the page " + std::to_string(page.width()));
  }
  if (next_row_ != page.first_row()) {
    return BadInput("carry continues at row " + std::to_string(next_row_) +
                    ", the page at row " + std::to_string(page.first_row()));
  }
  if (recipe.looks_ahead() && !IsAtStart(recipe) &&
      (next_row_ == 0 || next_row_ % recipe.lag().step != 0)) {
    return BadInput("carry of " + std::string(recipe.name()) +
                    " continues at row " + std::to_string(next_row_) +
                    ", where none can be cut");
  }
  const auto planes = recipe.carry_planes();
  for (size_t i = 0; i < planes.size(); ++i) {
    HALFTONED_TRY(CheckValues(plane(i), planes[i].min, planes[i].max));
  }
  return {};
}

}  // namespace halftoned
