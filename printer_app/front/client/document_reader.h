// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The document of a request, unpacked if IPP's attribute `compression` says so.
// HTTP's Content-Encoding is another matter, which libcups handles. libcups
// could unpack both, but not one within the other, and it does not report
// truncated data.

#pragma once

#include <zlib.h>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "printer_app/front/client/client.h"

namespace halftoned {

class DocumentReader {
 public:
  // compression: a keyword of IPP; if it is neither gzip nor deflate, nothing
  // is packed.
  DocumentReader(FrontClient& client, std::string_view compression);

  // The next bytes; none at the end. kBadInput if the packed data are damaged,
  // and another error if the client is gone.
  Result<size_t> Read(std::span<char> room);

 private:
  struct EndInflate {
    void operator()(z_stream* stream) const {
      inflateEnd(stream);
      delete stream;
    }
  };

  Result<bool> Fill();

  FrontClient& client_;
  std::unique_ptr<z_stream, EndInflate> packed_;
  std::vector<char> input_;
  bool is_whole_ = true;  // no part of a packed piece is missing
};

}  // namespace halftoned
