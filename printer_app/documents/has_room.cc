// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/descriptor.h"
#include "printer_app/documents/job_room.h"

namespace halftoned {
namespace {

// More than a small job has open at a time.
constexpr size_t kFiles = 16;
constexpr off_t kBytesOfFile = off_t{64} << 10;

bool MeansFull(int error) {
  return error == ENOSPC || error == EDQUOT || error == EMFILE ||
         error == ENFILE;
}

}  // namespace

bool HasRoomForJob(const std::string& folder) {
  std::array<Descriptor, kFiles> files;
  for (Descriptor& file : files) {
    std::string path = folder + "/room-XXXXXX";
    file = Descriptor(::mkostemp(path.data(), O_CLOEXEC));
    if (!file.open()) return !MeansFull(errno);
    ::unlink(path.c_str());
    if (MeansFull(::posix_fallocate(file.get(), 0, kBytesOfFile))) return false;
  }
  return true;
}

}  // namespace halftoned
