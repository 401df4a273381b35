// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/unpacked_size.h"

#include <qpdf/Pipeline.hh>
#include <stdexcept>

namespace halftoned {
namespace {

class Counter : public Pipeline {
 public:
  explicit Counter(size_t& left) : Pipeline("size", nullptr), left_(left) {}

  bool is_within() const { return is_within_; }

  void write(const unsigned char* /*bytes*/, size_t size) override {
    if (size > left_) {
      is_within_ = false;
      throw std::length_error("the stream is too large");  // ends the unpacking
    }
    left_ -= size;
  }
  void finish() override {}

 private:
  size_t& left_;
  bool is_within_ = true;
};

}  // namespace

bool UnpacksWithin(QPDFObjectHandle stream, size_t& most_bytes) {
  Counter counter(most_bytes);
  try {
    stream.pipeStreamData(&counter, 0, qpdf_dl_all, /*suppress_warnings=*/true);
  } catch (const std::exception&) {
    // Too large (see is_within), or libqpdf cannot unpack it.
  }
  return counter.is_within();
}

}  // namespace halftoned
