// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An owned file descriptor, and the two loops that everybody needs around
// read and write.

#ifndef HALFTONED_BASE_DESCRIPTOR_H_
#define HALFTONED_BASE_DESCRIPTOR_H_

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "base/result.h"

namespace halftoned {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { Close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      Close();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }

  // open(2) with O_CLOEXEC; the error names `path`.
  static Result<Descriptor> Open(const std::string& path, int flags,
                                 unsigned mode = 0666);

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  // Gives the descriptor away.
  int Release() { return std::exchange(fd_, -1); }
  void Close();

 private:
  int fd_ = -1;
};

// Opens whichever of the standard descriptors is closed on /dev/null, so that
// no file that is opened later takes the place of one and receives what is
// meant for it. What should be read from it ends, what should be written is
// refused. To be called first in main.
void OpenStandardDescriptors();

// "what: why", from errno.
Error ErrnoError(ErrorCode code, const std::string& what);

// Reads until `room` is full or the input ends; returns how much came.
Result<size_t> ReadFully(int fd, std::span<std::byte> room);

// Writes all of `bytes`.
Result<void> WriteFully(int fd, std::span<const std::byte> bytes);

}  // namespace halftoned

#endif  // HALFTONED_BASE_DESCRIPTOR_H_
