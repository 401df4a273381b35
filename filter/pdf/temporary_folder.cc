// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/temporary_folder.h"

#include <stdlib.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/descriptor.h"
#include "base/text.h"

namespace halftoned {

Result<TemporaryFolder> TemporaryFolder::Make(const std::string& parent) {
  std::string path = parent + "/halftoned-XXXXXX";
  if (!::mkdtemp(path.data())) {
    return ErrnoError(ErrorCode::kIo,
                      "cannot make a folder in " + Printable(parent));
  }
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace halftoned
