// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file to read from: a regular file, a pipe, or standard input. It buffers
// small reads and can peek at the start, but knows no format.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/file/shared_reads.h"

namespace halftoned {

// Tells whether two names lead to the same file, through links of any kind.
struct FileIdentity {
  dev_t device;
  ino_t inode;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;

  // The identity of the regular file at `path`, or of `fd`; nothing if there is
  // none.
  static std::optional<FileIdentity> Look(const std::string& path);
  static std::optional<FileIdentity> Look(int fd);
};

class InputFile {
 public:
  // "-" is standard input.
  static Result<InputFile> Open(const std::string& path);
  // Takes ownership of `fd`; reads from its current position on.
  static Result<InputFile> FromDescriptor(Descriptor fd);

  // Whether it is a regular file, read from its first byte on, so that a reader
  // may seek in it through fd().
  bool is_seekable() const { return is_seekable_; }
  int64_t size() const { return size_; }  // for a seekable file
  int fd() const { return fd_.get(); }

  // Shares large reads of a regular file between threads; `reads` outlives
  // this. Null, as at first: reads are not shared.
  void ShareReads(SharedReads* reads) { shared_reads_ = reads; }
  SharedReads* shared_reads() const { return shared_reads_; }

  // Once this returns true, reads fail. Readers call CheckCanceled during long
  // work on what they have read. Any thread that reads calls it.
  void EndWhen(std::function<bool()> is_canceled) {
    is_canceled_ = std::move(is_canceled);
  }
  Result<void> CheckCanceled() const {
    if (is_canceled_ && is_canceled_()) return IoError("the job was canceled");
    return {};
  }

  // The next bytes, at most `bytes` ≤ kBufferBytes, without consuming them;
  // fewer only at the end of the file. The view is valid until the next call.
  Result<std::span<const std::byte>> Peek(size_t bytes);

  // Fills `room`; an error if the file ends first.
  Result<void> Read(std::span<std::byte> room);

  // Fills as much of `room` as the file has; returns the number of bytes.
  Result<size_t> ReadSome(std::span<std::byte> room);

  // The next byte, or -1 at the end.
  Result<int> ReadByte() {
    if (next_ < end_) return std::to_integer<int>(buffer_[next_++]);
    return RefillAndReadByte();
  }

  static constexpr size_t kBufferBytes = size_t{64} << 10;

 private:
  InputFile() = default;

  // Copies what is buffered; returns the number of bytes.
  size_t TakeBuffered(std::span<std::byte> room);
  Result<void> ReadShared(std::span<std::byte> room);
  Result<int> RefillAndReadByte();

  Descriptor fd_;
  bool is_seekable_ = false;
  int64_t size_ = 0;
  SharedReads* shared_reads_ = nullptr;
  std::function<bool()> is_canceled_;
  std::vector<std::byte> buffer_;
  size_t next_ = 0;  // buffer_[next_ … end_) has not been read yet
  size_t end_ = 0;
};

}  // namespace halftoned
