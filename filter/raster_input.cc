// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/raster_input.h"

#include <cstring>
#include <utility>

namespace halftoned {
namespace {

// First words, in the byte order of the machine that wrote them. "RaSt" is
// version 1; "RaS2", version 2, is PWG raster too; "RaS3" is version 3.
constexpr uint32_t kVersion1 = 0x52615374;
constexpr uint32_t kVersion2 = 0x52615332;
constexpr uint32_t kVersion3 = 0x52615333;

constexpr uint32_t Reversed(uint32_t word) {
  return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}

bool Is(uint32_t first_word, uint32_t version) {
  return first_word == version || first_word == Reversed(version);
}

// Bytes of a page header; 0 for a format that is not served. libcups reads
// others too.
size_t HeaderBytes(std::span<const std::byte, 4> first_bytes) {
  uint32_t first_word;
  std::memcpy(&first_word, first_bytes.data(), sizeof(first_word));
  if (Is(first_word, kVersion1)) return sizeof(cups_page_header_t);
  if (Is(first_word, kVersion2)) return sizeof(cups_page_header2_t);
  if (Is(first_word, kVersion3)) return sizeof(cups_page_header2_t);
  return 0;
}

}  // namespace

void RasterInput::Intake::BeginCall() {
  asked_first = 0;
  got = 0;
}

ssize_t RasterInput::Intake::Read(std::span<std::byte> room) {
  if (asked_first == 0) asked_first = room.size();
  if (error) return -1;
  if (ended) return 0;
  const Result<size_t> read = input.Read(room);
  if (!read.ok()) {
    error = read.error();
    return -1;
  }
  ended = *read == 0;
  got += *read;
  for (size_t i = 0; i < *read && total < first_word.size(); ++i) {
    first_word[total++] = room[i];
  }
  return static_cast<ssize_t>(*read);
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
  if (intake.error) return *intake.error;
  if (intake.got == 0) return BadInput("there is nothing to print");
  opened.header_bytes_ = HeaderBytes(intake.first_word);
  if (!opened.raster_ || opened.header_bytes_ == 0) {
    return BadInput("what came is neither CUPS nor PWG raster");
  }
  return opened;
}

Result<std::optional<PageHeader>> RasterInput::NextHeader() {
  Intake& intake = *intake_;
  intake.BeginCall();
  PageHeader header;
  if (cupsRasterReadHeader2(raster_.get(), &header)) {
    return std::optional<PageHeader>(header);
  }
  if (intake.error) return *intake.error;
  if (!intake.ended) return BadInput("its header is malformed");
  // At a clean end libcups asked for exactly one header and got nothing. Where
  // it holds the beginning of one it asks for the rest, or for a bufferful.
  if (intake.got == 0 && intake.asked_first == header_bytes_) {
    return std::optional<PageHeader>();
  }
  return BadInput("the raster breaks off in its header");
}

Result<void> RasterInput::ReadRows(std::span<std::byte> room) {
  auto* bytes = reinterpret_cast<unsigned char*>(room.data());
  const auto size = static_cast<unsigned>(room.size());
  if (cupsRasterReadPixels(raster_.get(), bytes, size) == size) return {};
  if (intake_->error) return *intake_->error;
  return BadInput("the raster breaks off");
}

}  // namespace halftoned
