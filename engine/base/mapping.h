// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An owned mapping of memory.

#pragma once

#include <cstddef>
#include <utility>

#include "base/result.h"

namespace halftoned {

class Mapping {
 public:
  Mapping() = default;
  ~Mapping() { Unmap(); }
  Mapping(Mapping&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        writable_(other.writable_) {}
  Mapping& operator=(Mapping&& other) noexcept {
    if (this != &other) {
      Unmap();
      data_ = std::exchange(other.data_, nullptr);
      size_ = std::exchange(other.size_, 0);
      writable_ = other.writable_;
    }
    return *this;
  }

  // Maps the first `bytes` of the file `fd`, shared; kUnavailable on failure.
  // The file may be closed afterwards. bytes: at least 1.
  static Result<Mapping> OfFile(int fd, size_t bytes, bool writable);

  // Touches all pages. One call is faster than one fault per page.
  void Populate() const;

  // Writable only if mapped with `writable`.
  std::byte* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  Mapping(std::byte* data, size_t size, bool writable)
      : data_(data), size_(size), writable_(writable) {}
  void Unmap();

  std::byte* data_ = nullptr;
  size_t size_ = 0;
  bool writable_ = false;
};

}  // namespace halftoned
