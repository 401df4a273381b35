// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/gs_program.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

#include "halftone/look/gray/cmyk_profile.h"

namespace halftoned {
namespace {

// Reads the link, because an emulator such as qemu-user makes it name the
// program, but opening it opens the emulator.
bool IsThisProgram(const std::string& path) {
  std::error_code error;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
  return std::filesystem::equivalent(own, path, error);
}

}  // namespace

std::string FindGhostscript() {
  const char* path = std::getenv("PATH");
  std::string_view folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!folders.empty()) {
    const size_t end = std::min(folders.find(':'), folders.size());
    const std::string program = std::string(folders.substr(0, end)) + "/gs";
    const bool is_found = end > 0 && ::access(program.c_str(), X_OK) == 0;
    if (is_found && !IsThisProgram(program)) return program;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return "";
}

Result<Descriptor> CmykProfileFile() {
  Descriptor file(::memfd_create("cmyk.icc", 0));
  if (!file.open()) {
    return ErrnoError(ErrorCode::kIo, "cannot create a file in memory");
  }
  const std::string profile = CmykProfile();
  HALFTONED_TRY(WriteFully(file.get(), std::as_bytes(std::span(profile))));
  return file;
}

}  // namespace halftoned
