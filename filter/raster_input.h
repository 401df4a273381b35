// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPS raster (versions 1, 2 and 3) and PWG raster, read through libcups: page
// headers and whole rows. It tells the end of the raster from a raster that
// breaks off, which libcups does not. What a header means is not its concern.

#ifndef HALFTONED_FILTER_RASTER_INPUT_H_
#define HALFTONED_FILTER_RASTER_INPUT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/result.h"
#include "filter/polled_io.h"
#include "filter/raster_header.h"

namespace halftoned {

class RasterInput {
 public:
  // Reads the first word. `input` outlives the result.
  static Result<RasterInput> Open(PolledInput& input);

  // The next page's header, as it came; nothing at the end of the raster.
  Result<std::optional<PageHeader>> NextHeader();

  // Fills `room`, a whole number of the page's rows (at most 2³¹ bytes). After
  // an error the content of `room` is not defined.
  Result<void> ReadRows(std::span<std::byte> room);

 private:
  // What libcups asked of the input, and got.
  struct Intake {
    explicit Intake(PolledInput& from) : input(from) {}

    PolledInput& input;
    std::array<std::byte, 4> first_word{};
    size_t total = 0;
    size_t asked_first = 0;  // in this call of libcups: its first read,
    size_t got = 0;          // and the bytes of all
    bool ended = false;
    std::optional<Error> error;

    void BeginCall();
    ssize_t Read(std::span<std::byte> room);
  };
  struct Closer {
    void operator()(cups_raster_t* raster) const { cupsRasterClose(raster); }
  };

  explicit RasterInput(std::unique_ptr<Intake> intake)
      : intake_(std::move(intake)) {}
  static ssize_t ReadForCups(void* intake, unsigned char* room, size_t size);

  std::unique_ptr<Intake> intake_;  // where libcups expects it
  size_t header_bytes_ = 0;
  std::unique_ptr<cups_raster_t, Closer> raster_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_RASTER_INPUT_H_
