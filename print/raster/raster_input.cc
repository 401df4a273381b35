// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/raster_input.h"

#include <cstring>
#include <utility>

namespace halftoned {
namespace {

// First words, in the byte order of the writing machine. "RaSt" is version 1;
// "RaS2" is version 2 and PWG raster; "RaS3" is version 3.
constexpr uint32_t kVersion1 = 0x52615374;
constexpr uint32_t kVersion2 = 0x52615332;
constexpr uint32_t kVersion3 = 0x52615333;

constexpr uint32_t Reversed(uint32_t word) {
  return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}

struct Kind {
  bool is_served;
  bool is_packed;
  bool is_swapped;
};

// libcups reads other kinds too.
Kind KindOf(std::span<const std::byte, 4> first_bytes) {
  uint32_t first_word;
  std::memcpy(&first_word, first_bytes.data(), sizeof(first_word));
  for (const uint32_t version : {kVersion1, kVersion2, kVersion3}) {
    const bool is_swapped = first_word == Reversed(version);
    if (first_word != version && !is_swapped) continue;
    return {true, version == kVersion2, is_swapped};
  }
  return {};
}

void SwapWords16(std::span<std::byte> samples) {
  for (size_t i = 0; i + 1 < samples.size(); i += 2) {
    std::swap(samples[i], samples[i + 1]);
  }
}

}  // namespace

// Reads all that libcups asks for. After a part of a header, libcups would ask
// for more than the rest, and keep what follows the header.
ssize_t RasterInput::Intake::Read(std::span<std::byte> room) {
  const size_t read = bytes.Fill(room);
  if (bytes.error()) return -1;
  got += read;
  for (size_t i = 0; i < read && total < first_word.size(); ++i) {
    first_word[total++] = room[i];
  }
  return static_cast<ssize_t>(read);
}

ssize_t RasterInput::ReadForCups(void* intake, unsigned char* room,
                                 size_t size) {
  return static_cast<Intake*>(intake)->Read(
      {reinterpret_cast<std::byte*>(room), size});
}

Result<RasterInput> RasterInput::Open(PolledInput& input) {
  RasterInput opened(std::make_unique<Intake>(input));
  Intake& intake = *opened.intake_;
  opened.raster_.reset(
      cupsRasterOpenIO(ReadForCups, &intake, CUPS_RASTER_READ));
  if (intake.bytes.error()) return *intake.bytes.error();
  if (intake.got == 0) return BadInput("nothing to print");
  const Kind kind = KindOf(intake.first_word);
  if (!opened.raster_ || !kind.is_served) {
    return BadInput("input is neither CUPS nor PWG raster");
  }
  opened.is_packed_ = kind.is_packed;
  opened.is_swapped_ = kind.is_swapped;
  return opened;
}

Result<std::optional<PageHeader>> RasterInput::NextHeader() {
  Intake& intake = *intake_;
  intake.got = 0;
  PageHeader header;
  if (cupsRasterReadHeader2(raster_.get(), &header)) {
    return std::optional<PageHeader>(header);
  }
  if (intake.bytes.error()) return *intake.bytes.error();
  if (!intake.bytes.ended()) return BadInput("its header is malformed");
  if (intake.got == 0) return std::optional<PageHeader>();
  return BadInput("the raster is truncated in its header");
}

void RasterInput::BeginPage(const RasterForm& form) {
  swaps_samples_ = is_swapped_ && form.page.depth() == Depth::k16;
  if (is_packed_) packed_rows_.emplace(intake_->bytes, form);
}

Result<void> RasterInput::ReadRows(std::span<std::byte> room) {
  if (packed_rows_) {
    HALFTONED_TRY(packed_rows_->Read(room));
  } else if (intake_->bytes.Fill(room) < room.size()) {
    return intake_->bytes.WhyShort();
  }
  if (swaps_samples_) SwapWords16(room);
  return {};
}

}  // namespace halftoned
