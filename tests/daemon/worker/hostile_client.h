// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client's connection to a worker that can follow the protocol, and break it.

#pragma once

#include <utility>
#include <vector>

#include "tests/wire/raw_peer.h"
#include "tests/wire/sample_page.h"
#include "wire/checksum.h"
#include "wire/ring.h"

namespace halftoned::testing {

class HostileClient : public RawPeer {
 public:
  HostileClient(RawPeer peer, const SamplePage& sample)
      : RawPeer(std::move(peer)), page(sample) {}

  void Open(uint32_t number = 1) {
    SendFrame(wire::FrameType::kOpen, number, Encode(page.open()));
  }
  void SendOpen(const wire::Open& open) {
    SendFrame(wire::FrameType::kOpen, 1, Encode(open));
  }

  void SendBand(const wire::Band& band, wire::View tail = {},
                uint32_t number = 1) {
    SendFrame(wire::FrameType::kBand, number, Encode(band), tail);
  }
  // As it should be, without a ring.
  wire::Band InlineBand(int i) const {
    return {page.rows_per_band(), i + 1 == page.bands(), 0, 0,
            wire::Checksum(page.gray(i))};
  }
  void SendInline(int i, uint32_t number = 1) {
    SendBand(InlineBand(i), page.gray(i), number);
  }

  // A ring for three bands, as it should be.
  void SendRing() {
    const wire::Ring sizes = RingSizes();
    auto made = wire::MakeRing(sizes);
    ring = std::move(made->memory);
    SendRing(sizes, made->gray.get(), made->bits.get());
  }
  wire::Ring RingSizes() const {
    return {3 * Aligned(page.gray_band_bytes()),
            3 * Aligned(page.bits_band_bytes())};
  }
  template <typename... Fds>
  void SendRing(const wire::Ring& sizes, Fds... fds) {
    const std::vector<int> files{fds...};
    SendFrame(wire::FrameType::kRing, 0, Encode(sizes), {}, files);
  }
  // As it should be, in the ring.
  wire::Band RingBand(int i) const {
    return {page.rows_per_band(), i + 1 == page.bands(),
            static_cast<uint64_t>(i) * Aligned(page.gray_band_bytes()),
            static_cast<uint64_t>(i) * Aligned(page.bits_band_bytes()), 0};
  }

  static uint64_t Aligned(size_t bytes) {
    return (bytes + wire::kRingAlignment - 1) / wire::kRingAlignment *
           wire::kRingAlignment;
  }

  const SamplePage& page;
  wire::RingMemory ring;
};

}  // namespace halftoned::testing
