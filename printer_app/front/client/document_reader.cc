// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/document_reader.h"

#include <new>

namespace halftoned {
namespace {

// zlib's numbers for the largest window: gzip, and deflate without a header, as
// RFC 1951 has it and IPP means it.
constexpr int kGzip = 15 + 16;
constexpr int kDeflate = -15;
constexpr size_t kInputBytes = 16 << 10;

}  // namespace

DocumentReader::DocumentReader(FrontClient& client,
                               std::string_view compression)
    : client_(client) {
  if (compression != "gzip" && compression != "deflate") return;
  auto stream = std::make_unique<z_stream>();
  if (inflateInit2(stream.get(), compression == "gzip" ? kGzip : kDeflate) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  packed_.reset(stream.release());
  input_.resize(kInputBytes);
}

// False: there is no more.
Result<bool> DocumentReader::Fill() {
  HALFTONED_TRY_ASSIGN(const size_t size,
                       client_.Read(input_.data(), input_.size()));
  packed_->next_in = reinterpret_cast<Bytef*>(input_.data());
  packed_->avail_in = static_cast<uInt>(size);
  client_.WaitForSilence();
  return size > 0;
}

Result<size_t> DocumentReader::Read(std::span<char> room) {
  if (!packed_) return client_.Read(room.data(), room.size());
  packed_->next_out = reinterpret_cast<Bytef*>(room.data());
  packed_->avail_out = static_cast<uInt>(room.size());
  while (packed_->avail_out == room.size()) {
    const int status = inflate(packed_.get(), Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      // Packed pieces can follow one another.
      is_whole_ = inflateReset(packed_.get()) == Z_OK;
    } else if (status == Z_OK) {
      is_whole_ = false;
    } else if (status == Z_BUF_ERROR) {
      HALFTONED_TRY_ASSIGN(const bool has_more, Fill());
      if (has_more) continue;
      if (is_whole_) return size_t{0};
      return BadInput("the compressed document is truncated");
    } else {
      return BadInput("the compressed document is damaged");
    }
  }
  return room.size() - packed_->avail_out;
}

}  // namespace halftoned
