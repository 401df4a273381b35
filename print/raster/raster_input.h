// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPS raster (versions 1, 2 and 3) and PWG raster: page headers, which libcups
// reads, and whole rows. Unlike libcups, it distinguishes the end of the raster
// from a truncated raster. It does not interpret headers.

#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "base/result.h"
#include "print/process/polled_io.h"
#include "print/raster/packed_rows.h"
#include "print/raster/raster_bytes.h"
#include "print/raster/raster_form.h"
#include "print/raster/raster_header.h"

namespace halftoned {

class RasterInput {
 public:
  // Reads the first word. `input` outlives the result.
  static Result<RasterInput> Open(PolledInput& input);

  // The next page's header, unchecked; nothing at the end of the raster.
  Result<std::optional<PageHeader>> NextHeader();

  // Begins the rows of the page whose header was read last. All of them must be
  // read before the next header.
  void BeginPage(const RasterForm& form);

  // Fills `room`, a whole number of the page's rows. After an error the content
  // of `room` is not defined.
  Result<void> ReadRows(std::span<std::byte> room);

 private:
  // The bytes that libcups requested from the input and received.
  struct Intake {
    explicit Intake(PolledInput& input) : bytes(input) {}

    RasterBytes bytes;
    std::array<std::byte, 4> first_word{};
    size_t total = 0;
    size_t got = 0;  // bytes in this call of libcups

    ssize_t Read(std::span<std::byte> room);
  };
  struct Closer {
    void operator()(cups_raster_t* raster) const { cupsRasterClose(raster); }
  };

  explicit RasterInput(std::unique_ptr<Intake> intake)
      : intake_(std::move(intake)) {}
  static ssize_t ReadForCups(void* intake, unsigned char* room, size_t size);

  std::unique_ptr<Intake> intake_;  // where libcups expects it
  bool is_packed_ = false;
  bool is_swapped_ = false;  // words of headers and of 16-bit samples
  std::unique_ptr<cups_raster_t, Closer> raster_;
  bool swaps_samples_ = false;             // of this page
  std::optional<PackedRows> packed_rows_;  // where the raster is packed
};

}  // namespace halftoned
