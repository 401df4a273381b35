// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rings that are valid apart from what a test leaves out.

#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "base/descriptor.h"
#include "tests/daemon/worker/hostile_client_fixture.h"

namespace halftoned::testing {

// A valid file in memory, apart from what a test leaves out. beyond: memory
// allocated beyond its end.
inline Descriptor MemoryFile(uint64_t bytes, int seals, uint64_t filled,
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

inline constexpr int kBitsSeals = F_SEAL_SHRINK | F_SEAL_GROW;
inline constexpr int kGraySeals =
    kBitsSeals | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL;

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

}  // namespace halftoned::testing
