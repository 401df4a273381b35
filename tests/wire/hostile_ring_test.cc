// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Invalid rings, and bands outside of a ring.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <string>

#include "base/unix_socket.h"
#include "tests/wire/hostile_client_fixture.h"

namespace halftoned::testing {
namespace {

using wire::Band;

// A valid file in memory, apart from what a test leaves out. beyond: memory
// allocated beyond its end.
Descriptor MemoryFile(uint64_t bytes, int seals, uint64_t filled,
                      uint64_t beyond = 0) {
  Descriptor file(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  EXPECT_EQ(::ftruncate(file.get(), static_cast<off_t>(bytes)), 0);
  const wire::Bytes zeros(filled);
  EXPECT_EQ(::pwrite(file.get(), zeros.data(), filled, 0),
            static_cast<ssize_t>(filled));
  if (beyond > 0) {
    EXPECT_EQ(::fallocate(file.get(), FALLOC_FL_KEEP_SIZE,
                          static_cast<off_t>(bytes + 4096),
                          static_cast<off_t>(beyond)),
              0);
  }
  EXPECT_EQ(::fcntl(file.get(), F_ADD_SEALS, seals), 0);
  return file;
}

constexpr int kBitsSeals = F_SEAL_SHRINK | F_SEAL_GROW;
constexpr int kGraySeals = kBitsSeals | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL;

class HostileRing : public HostileClientTest {
 protected:
  void ExpectRingRefused(const std::string& reason, const Descriptor& gray,
                         const Descriptor& bits) {
    ExpectRefused(reason, reason, [&](HostileClient& client) {
      client.SendRing({kBytes, kBytes}, gray.get(), bits.get());
    });
  }
  Descriptor Gray(int seals = kGraySeals) {
    return MemoryFile(kBytes, seals, kBytes);
  }
  Descriptor Bits(int seals = kBitsSeals) {
    return MemoryFile(kBytes, seals, kBytes);
  }

  static constexpr uint64_t kBytes = 100'000;
};

TEST_F(HostileRing, IsTakenAsTheTestsMakeIt) {
  const daemon::Closed closed = Do([&](HostileClient& client) {
    client.SendRing({kBytes, kBytes}, Gray().get(), Bits().get());
    client.Open();
    client.SendBand(client.RingBand(0));
    EXPECT_TRUE(client.Receive());
  });
  EXPECT_EQ(closed.counters.bands, 1u);
}

TEST_F(HostileRing, IsRefusedAfterSoManyOthers) {
  const Descriptor gray = Gray();
  ExpectRefused("rings", "too many rings", [&](HostileClient& client) {
    for (int i = 0; i <= wire::kMaxRings; ++i) {
      client.SendRing({kBytes, kBytes}, gray.get(), Bits().get());
    }
  });
}

// Bytes of this process's mappings of its files that are in the page table.
size_t EnteredBytes() {
  std::ifstream maps("/proc/self/smaps");
  size_t kib = 0;
  bool is_test_file = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.find(' ') < line.find(':')) {  // a mapping, not a figure of one
      is_test_file = line.find("/memfd:test") != line.npos;
    } else if (is_test_file && line.starts_with("Rss:")) {
      kib += std::stoul(line.substr(4));
    }
  }
  return kib * 1024;
}

// It would hold up all clients of the same thread.
TEST_F(HostileRing, IsNotTouchedBeforeItIsUsed) {
  Do([&](HostileClient& client) {
    const Descriptor gray = Gray();
    const Descriptor bits = Bits();
    client.SendRing({kBytes, kBytes}, gray.get(), bits.get());
    SendUnknownRecipe(client, 1);
    EXPECT_NE(client.ReceiveFailure(), "");
    EXPECT_EQ(EnteredBytes(), 0u);
    client.Open(2);
    client.SendBand(client.RingBand(0), {}, 2);
    EXPECT_TRUE(client.Receive());
    EXPECT_GT(EnteredBytes(), 0u);
  });
}

TEST_F(HostileRing, EndsItsClientsTurn) {
  daemon::Shop shop;
  auto ends = MakeSocketPair(SOCK_STREAM);
  ASSERT_TRUE(ends.ok());
  daemon::Client client(shop, 1, std::move(ends->first), [] {});
  HostileClient hostile(RawPeer(std::move(ends->second)), page_);
  constexpr int kRings = 3;
  const Descriptor gray = Gray();
  for (int i = 0; i < kRings; ++i) {
    hostile.SendRing({kBytes, kBytes}, gray.get(), Bits().get());
  }
  for (int i = 0; i < kRings; ++i) {
    const auto more = client.Serve();
    ASSERT_TRUE(more.ok()) << more.error().message;
    EXPECT_TRUE(*more);
  }
  const auto more = client.Serve();
  EXPECT_TRUE(more.ok() && !*more);
}

TEST_F(HostileRing, IsRefusedWithoutAnyOneOfItsSeals) {
  for (const int seal :
       {F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_FUTURE_WRITE, F_SEAL_SEAL}) {
    ExpectRingRefused("is not sealed", Gray(kGraySeals & ~seal), Bits());
  }
  for (const int seal : {F_SEAL_SHRINK, F_SEAL_GROW}) {
    ExpectRingRefused("is not sealed", Gray(), Bits(kBitsSeals & ~seal));
  }
  ExpectRingRefused("cannot be sealed", Gray(), Bits(kBitsSeals | F_SEAL_SEAL));
}

TEST_F(HostileRing, IsRefusedOfAnotherSizeThanItSays) {
  for (const uint64_t bytes : {uint64_t{0}, kBytes - 1, kBytes + 1}) {
    ExpectRingRefused("announced size", MemoryFile(bytes, kGraySeals, bytes),
                      Bits());
    ExpectRingRefused("announced size", Gray(),
                      MemoryFile(bytes, kBitsSeals, bytes));
  }
}

TEST_F(HostileRing, IsRefusedWithHolesWhateverLiesBeyondItsEnd) {
  ExpectRingRefused("holes", MemoryFile(kBytes, kGraySeals, 0, kBytes), Bits());
  ExpectRingRefused("holes", Gray(),
                    MemoryFile(kBytes, kBitsSeals, kBytes / 2, kBytes));
  // Its first user pays for clearing it.
  const Descriptor untouched = MemoryFile(kBytes, kBitsSeals, 0);
  ASSERT_EQ(::fallocate(untouched.get(), 0, 0, kBytes), 0);
  ExpectRingRefused("holes", Gray(), untouched);
  ExpectRingRefused("holes", MemoryFile(kBytes, kGraySeals, 0), Bits());
  ExpectRingRefused("holes", MemoryFile(kBytes, kGraySeals, kBytes / 2),
                    Bits());
  ExpectRingRefused("holes", Gray(), MemoryFile(kBytes, kBitsSeals, 0));
  ExpectRingRefused("holes", Gray(),
                    MemoryFile(kBytes, kBitsSeals, kBytes / 2));
}

TEST_F(HostileRing, CannotBeTakenApartOnceTheWorkerHasIt) {
  Do([&](HostileClient& client) {
    const Descriptor gray = Gray();
    const Descriptor bits = Bits();
    client.SendRing({kBytes, kBytes}, gray.get(), bits.get());
    client.Open();
    client.SendBand(client.RingBand(0));
    EXPECT_TRUE(client.Receive());
    for (const Descriptor* file : {&gray, &bits}) {
      EXPECT_NE(
          ::fallocate(file->get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                      0, 4096),
          0);
      EXPECT_NE(::ftruncate(file->get(), 0), 0);
      EXPECT_EQ(::write(file->get(), "x", 1), -1);
      EXPECT_EQ(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
                       file->get(), 0),
                MAP_FAILED);
    }
  });
}

TEST_F(HostileRing, IsRefusedWhereItIsNoMemory) {
  char name[] = "/tmp/halftoned-test-XXXXXX";
  const Descriptor regular(::mkstemp(name));
  ::unlink(name);
  ASSERT_EQ(::ftruncate(regular.get(), kBytes), 0);
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
  const Descriptor reads(pipe[0]);
  const Descriptor writes(pipe[1]);
  auto zero = Descriptor::Open("/dev/zero", O_RDWR);
  auto folder = Descriptor::Open("/tmp", O_RDONLY | O_DIRECTORY);
  const auto sockets = MakeSocketPair(SOCK_STREAM);
  for (const int fd : {regular.get(), reads.get(), writes.get(), zero->get(),
                       folder->get(), sockets->first.get()}) {
    const Descriptor file(::dup(fd));
    ExpectRingRefused("not sealed", file, Bits());
    ExpectRingRefused("not sealed", Gray(), file);
  }
}

TEST_F(HostileRing, IsRefusedWhereOnlyTheClientMayWriteItsBits) {
  const Descriptor bits = Bits();
  const auto read_only =
      Descriptor::Open("/proc/self/fd/" + std::to_string(bits.get()), O_RDONLY);
  const Descriptor gray = Gray();
  const daemon::Closed closed = Do([&](HostileClient& client) {
    client.SendRing({kBytes, kBytes}, gray.get(), read_only->get());
    EXPECT_NE(client.ReceiveFailure(), "");
  });
  EXPECT_NE(closed.reason, "");
}

TEST_F(HostileRing, IsRefusedOfAnyOtherNumberOfFiles) {
  const Descriptor gray = Gray();
  const Descriptor bits = Bits();
  const int a = gray.get();
  const int b = bits.get();
  const wire::Ring sizes{kBytes, kBytes};
  ExpectRefused("none", "of 0 files",
                [&](HostileClient& client) { client.SendRing(sizes); });
  ExpectRefused("one", "of 1 files",
                [&](HostileClient& client) { client.SendRing(sizes, a); });
  ExpectRefused("three", "of 3 files", [&](HostileClient& client) {
    client.SendRing(sizes, a, b, b);
  });
  ExpectRefused("four", "of 4 files", [&](HostileClient& client) {
    client.SendRing(sizes, a, b, a, b);
  });
}

TEST_F(HostileRing, IsRefusedWithSizesThatLie) {
  const Descriptor gray = Gray();
  const Descriptor bits = Bits();
  for (const uint64_t bytes : {uint64_t{0}, wire::kMaxRingBytes + 1}) {
    ExpectRefused("size", "is not in 1", [&](HostileClient& client) {
      client.SendRing({bytes, kBytes}, gray.get(), bits.get());
    });
  }
  ExpectRefused(
      "more than is there", "announced size", [&](HostileClient& client) {
        client.SendRing({wire::kMaxRingBytes, kBytes}, gray.get(), bits.get());
      });
}

TEST_F(HostileRing, IsRefusedWhereItsPageAnnouncesLargerBandsThanItHolds) {
  for (const auto& [gray_bytes, bits_bytes] :
       {std::pair<uint64_t, uint64_t>(page_.gray_band_bytes() - 1, kBytes),
        std::pair<uint64_t, uint64_t>(kBytes, page_.bits_band_bytes() - 1)}) {
    ExpectRefused(
        "small", "do not fit into the ring", [&](HostileClient& client) {
          const Descriptor gray =
              MemoryFile(gray_bytes, kGraySeals, gray_bytes);
          const Descriptor bits =
              MemoryFile(bits_bytes, kBitsSeals, bits_bytes);
          client.SendRing({gray_bytes, bits_bytes}, gray.get(), bits.get());
          client.Open();
        });
  }
}

// For a page whose answers are held back.
TEST_F(HostileRing, IsRefusedWhereBitsOfBandsInFlightOverlap) {
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
  ExpectBestRefused("do not fit into the ring", [&](HostileClient& client) {
    client.SendRing({kBytes, bytes}, Gray().get(),
                    MemoryFile(bytes, kBitsSeals, bytes).get());
    client.Open();
  });
}

TEST_F(HostileRingOfBest, IsRefusedWhereAnAnswerDoesNotLieInIt) {
  ExpectBestRefused("is not inside the ring", [&](HostileClient& client) {
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

TEST_F(HostileRingOfBest, MayLieAsItLikesOnceABandIsAnswered) {
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

TEST_F(HostileRing, MayHaveTheBitsOfABandWhereAnAnsweredOneHadThem) {
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

TEST_F(HostileRing, IsRefusedWhereBandsDoNotLieInIt) {
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
    ExpectRefused("offset", "is not inside the ring",
                  [&](HostileClient& client) {
                    client.SendRing();
                    client.Open();
                    Band band = client.RingBand(0);
                    band.gray_offset = gray_offset;
                    band.bits_offset = bits_offset;
                    client.SendBand(band);
                  });
  }
  ExpectRefused("both", "in the ring and beside it", [](HostileClient& client) {
    client.SendRing();
    client.Open();
    client.SendInline(0);
  });
}

}  // namespace
}  // namespace halftoned::testing
