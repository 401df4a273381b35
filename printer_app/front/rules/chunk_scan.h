// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a chunked body goes (RFC 9112), byte by byte. Only one spelling is
// accepted, so that no proxy reads it in another way than we do:
//
//   body  = *(size data(size) CR LF) size(0) *(name ":" value CR LF) CR LF
//   size  = 1*16(hexadecimal digit) [ ";" extension ] CR LF      less than 2^63
//
// Extensions have up to 256 bytes each, and fields 4096 bytes together; both
// are ignored. Pure.

#pragma once

#include <cstddef>
#include <cstdint>

namespace halftoned {

class ChunkScan {
 public:
  static constexpr int kMostDigits = 16;
  static constexpr size_t kMostOfExtension = 256;
  static constexpr size_t kMostOfFields = 4096;

  // True if only the last LF is missing, which the scan does not take.
  bool is_over() const { return part_ == Part::kOver; }
  // Bytes of data that come next. 0: Take wants the next byte, if it is not
  // over.
  uint64_t data() const { return data_; }
  // Data was read; at most as much as comes next.
  void Pass(uint64_t bytes);
  // False: this is no chunked body.
  bool Take(char c);

 private:
  enum class Part : uint8_t {
    kSize,  // and what follows it
    kExtension,
    kEndOfSize,  // LF
    kAfterData,  // CR
    kEndOfData,  // LF
    kField,      // the first byte of its name, or the CR of the last line
    kName,
    kValue,
    kEndOfField,  // LF
    kOver,
  };

  bool TakeSize(char c);
  bool TakeField(char c);
  bool Go(bool is_right, Part next) {
    part_ = next;
    return is_right;
  }

  Part part_ = Part::kSize;
  int digits_ = 0;
  size_t extra_ = 0;  // bytes of the extension, or of all fields
  uint64_t size_ = 0;
  uint64_t data_ = 0;
};

}  // namespace halftoned
