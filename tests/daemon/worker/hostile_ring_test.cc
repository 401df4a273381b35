// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Invalid rings.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "base/unix_socket.h"
#include "tests/daemon/worker/hostile_ring_fixture.h"

namespace halftoned::testing {
namespace {

TEST_F(HostileRing, IsAcceptedIfValid) {
  const daemon::Closed closed = Do([&](HostileClient& client) {
    client.SendRing({kBytes, kBytes}, Gray().get(), Bits().get());
    client.Open();
    client.SendBand(client.RingBand(0));
    EXPECT_TRUE(client.Receive());
  });
  EXPECT_EQ(closed.counters.bands, 1u);
}

TEST_F(HostileRing, IsRefusedAfterTooManyOthers) {
  const Descriptor gray = Gray();
  ExpectRefused("rings", "too many shared-memory buffers",
                [&](HostileClient& client) {
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

TEST_F(HostileRing, IsRefusedIfItsSizeIsMisstated) {
  for (const uint64_t bytes : {uint64_t{0}, kBytes - 1, kBytes + 1}) {
    ExpectRingRefused("announced size", MemoryFile(bytes, kGraySeals, bytes),
                      Bits());
    ExpectRingRefused("announced size", Gray(),
                      MemoryFile(bytes, kBitsSeals, bytes));
  }
}

TEST_F(HostileRing, IsRefusedWithHolesEvenIfDataFollows) {
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

TEST_F(HostileRing, CannotBePunchedOnceTheWorkerHasIt) {
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

TEST_F(HostileRing, IsRefusedIfItIsNotMemory) {
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

TEST_F(HostileRing, IsRefusedIfOnlyTheClientCanWriteItsBits) {
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

TEST_F(HostileRing, IsRefusedWithAnyOtherNumberOfFiles) {
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

TEST_F(HostileRing, IsRefusedWithFalseSizes) {
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

TEST_F(HostileRing, IsRefusedIfItsPageAnnouncesTooLargeBands) {
  for (const auto& [gray_bytes, bits_bytes] :
       {std::pair<uint64_t, uint64_t>(page_.gray_band_bytes() - 1, kBytes),
        std::pair<uint64_t, uint64_t>(kBytes, page_.bits_band_bytes() - 1)}) {
    ExpectRefused(
        "small", "do not fit into the shared-memory buffer",
        [&](HostileClient& client) {
          const Descriptor gray =
              MemoryFile(gray_bytes, kGraySeals, gray_bytes);
          const Descriptor bits =
              MemoryFile(bits_bytes, kBitsSeals, bits_bytes);
          client.SendRing({gray_bytes, bits_bytes}, gray.get(), bits.get());
          client.Open();
        });
  }
}

}  // namespace
}  // namespace halftoned::testing
