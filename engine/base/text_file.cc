// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/text_file.h"

#include <fcntl.h>

#include <span>

#include "base/descriptor.h"

namespace halftoned {

Result<std::string> ReadTextFile(const std::string& path) {
  constexpr size_t kMaxBytes = size_t{1} << 20;
  HALFTONED_TRY_ASSIGN(const Descriptor file,
                       Descriptor::Open(path, O_RDONLY | O_NONBLOCK));
  std::string text(kMaxBytes + 1, '\0');
  const Result<size_t> size =
      ReadFully(file.get(), std::as_writable_bytes(std::span(text)));
  if (!size.ok()) return IoError(path + ": " + size.error().message);
  if (*size > kMaxBytes) return BadInput(path + " is larger than 1 MiB");
  text.resize(*size);
  return text;
}

}  // namespace halftoned
