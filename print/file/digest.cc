// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/file/digest.h"

#include <unistd.h>

// Compiled in here, as in engine/wire/checksum.cc.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>
#include <vector>

#include "base/descriptor.h"

namespace halftoned {
namespace {

std::string Digits(XXH128_hash_t hash) {
  char text[33];
  std::snprintf(text, sizeof(text), "%016llx%016llx",
                static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

}  // namespace

std::string DigestOf(std::string_view text) {
  return Digits(XXH3_128bits(text.data(), text.size()));
}

Result<FileDigest> DigestOf(int fd) {
  const std::unique_ptr<XXH3_state_t, FreeState> state(XXH3_createState());
  if (!state) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  std::vector<std::byte> room(size_t{1} << 20);
  FileDigest digest;
  for (;;) {
    const ssize_t got = ::pread(fd, room.data(), room.size(), digest.bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoError(ErrorCode::kIo, "cannot read");
    if (got == 0) break;
    XXH3_128bits_update(state.get(), room.data(), static_cast<size_t>(got));
    digest.bytes += got;
  }
  digest.digits = Digits(XXH3_128bits_digest(state.get()));
  return digest;
}

}  // namespace halftoned
