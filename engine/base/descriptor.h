// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An owned file descriptor, and complete reads and writes.

#pragma once

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

// Opens each standard descriptor that is closed on /dev/null, so that no file
// opened later takes its number and receives output that is not meant for it.
// Reading from it gives the end of file, writing to it fails. Call this first
// in main.
void OpenStandardDescriptors();

// "what: why", from errno.
Error ErrnoError(ErrorCode code, const std::string& what);

// Reads until `room` is full or the input ends; returns the number of bytes.
Result<size_t> ReadFully(int fd, std::span<std::byte> room);

// Writes all of `bytes`.
Result<void> WriteFully(int fd, std::span<const std::byte> bytes);

// Flushes standard output: output lost to a full disk is a failure. The error
// names it, and is reported once.
Result<void> FlushStandardOutput();

}  // namespace halftoned
