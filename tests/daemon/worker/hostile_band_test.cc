// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bands that do not lie in their ring, or where others lie.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <string>

#include "tests/daemon/worker/hostile_ring_fixture.h"

namespace halftoned::testing {
namespace {

using wire::Band;

// For a page whose answers are held back.
TEST_F(HostileRing, IsRefusedIfBandsInFlightOverlap) {
  stage_.is_open = false;
  const SamplePage staged(kStagedWidth);
  const size_t gap = HostileClient::Aligned(staged.bits_band_bytes());
  for (const size_t offset :
       {size_t{0}, size_t{wire::kRingAlignment}, gap - wire::kRingAlignment,
        gap + wire::kRingAlignment, 2 * gap - wire::kRingAlignment}) {
    ExpectRefused("offset", "overlap", [&](HostileClient& small) {
      HostileClient client(std::move(small), staged);
      client.SendRing();
      client.SendOpen(staged.open());
      Band band = client.RingBand(0);
      client.SendBand(band);
      band.bits_offset = gap;  // the gray may be the same
      client.SendBand(band);
      band.bits_offset = offset;
      client.SendBand(band);
      static_cast<RawPeer&>(small) = std::move(client);
    });
  }
}

// Its answers may have more rows than their bands.
class HostileRingOfBest : public HostileRing {
 protected:
  void ExpectBestRefused(const std::string& reason,
                         const std::function<void(HostileClient&)>& act) {
    ExpectRefused(reason, reason, [&](HostileClient& small) {
      HostileClient client(std::move(small), best_);
      act(client);
      static_cast<RawPeer&>(small) = std::move(client);
    });
  }

  const SamplePage best_ = SamplePage::OfBest();
};

TEST_F(HostileRingOfBest, IsRefusedWithoutRoomForTheRowsThatWait) {
  const uint64_t bytes = best_.bits_band_bytes() - 1;
  ExpectBestRefused(
      "do not fit into the shared-memory buffer", [&](HostileClient& client) {
        client.SendRing({kBytes, bytes}, Gray().get(),
                        MemoryFile(bytes, kBitsSeals, bytes).get());
        client.Open();
      });
}

TEST_F(HostileRingOfBest, IsRefusedIfAnAnswerIsOutside) {
  ExpectBestRefused(
      "is outside the shared-memory buffer", [&](HostileClient& client) {
        client.SendRing();
        client.Open();
        Band band = client.RingBand(0);
        // No rows, at the very end.
        band.bits_offset = client.RingSizes().bits_bytes;
        client.SendBand(band);
        band = client.RingBand(1);
        client.SendBand(band);
        band = client.RingBand(2);
        const uint64_t rows = client.page.bits(2).size();
        band.bits_offset =
            client.RingSizes().bits_bytes - HostileClient::Aligned(rows) + 64;
        client.SendBand(band);
      });
}

TEST_F(HostileRingOfBest, CanReuseSpaceOnceABandIsAnswered) {
  const daemon::Closed closed = Do([&](HostileClient& small) {
    HostileClient client(std::move(small), best_);
    client.SendRing();
    client.Open();
    for (int i = 0; i < client.page.bands(); ++i) {
      Band band = client.RingBand(i);
      band.bits_offset = 0;
      std::memcpy(client.ring.gray.data() + band.gray_offset,
                  client.page.gray(i).data(), client.page.gray(i).size());
      client.SendBand(band);
      EXPECT_TRUE(client.Receive());
      EXPECT_EQ(std::memcmp(client.ring.bits.data(), client.page.bits(i).data(),
                            client.page.bits(i).size()),
                0);
      std::memset(client.ring.gray.data(), 0x5a, client.ring.gray.size());
    }
    static_cast<RawPeer&>(small) = std::move(client);
  });
  EXPECT_EQ(closed.counters.pages, 1u);
}

TEST_F(HostileRing, CanReuseTheSpaceOfAnAnsweredBand) {
  const daemon::Closed closed = Do([&](HostileClient& client) {
    client.SendRing();
    client.Open();
    for (int i = 0; i < client.page.bands(); ++i) {
      Band band = client.RingBand(i);
      band.bits_offset = 0;
      client.SendBand(band);
      EXPECT_TRUE(client.Receive());
    }
  });
  EXPECT_EQ(closed.counters.pages, 1u);
}

TEST_F(HostileRing, IsRefusedIfABandIsOutside) {
  const wire::Ring sizes = HostileClient(worker_.Connect(), page_).RingSizes();
  worker_.WaitForClosed();
  const uint64_t gray = sizes.gray_bytes;
  const uint64_t bits = sizes.bits_bytes;
  const std::pair<uint64_t, uint64_t> wrong[] = {
      {1, 0},
      {0, 1},
      {32, 0},
      {0, 63},
      {gray, 0},
      {0, bits},
      {gray - 64, 0},
      {0, bits - 64},
      {gray + 64, 0},
      {0, bits + 64},
      {UINT64_MAX, 0},
      {0, UINT64_MAX},
      {0 - uint64_t{64}, 0},
      {0, 0 - uint64_t{64}},
      {uint64_t{1} << 63, 0},
      {0, uint64_t{1} << 63},
      {0 - page_.gray_band_bytes(), 0}};
  for (const auto& [gray_offset, bits_offset] : wrong) {
    ExpectRefused("offset", "is outside the shared-memory buffer",
                  [&](HostileClient& client) {
                    client.SendRing();
                    client.Open();
                    Band band = client.RingBand(0);
                    band.gray_offset = gray_offset;
                    band.bits_offset = bits_offset;
                    client.SendBand(band);
                  });
  }
  ExpectRefused("both", "inside and outside the shared-memory buffer",
                [](HostileClient& client) {
                  client.SendRing();
                  client.Open();
                  client.SendInline(0);
                });
}

}  // namespace
}  // namespace halftoned::testing
