// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/curve_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <span>

#include "base/descriptor.h"
#include "base/text_file.h"
#include "convert/stages.h"
#include "print/file/last_words.h"
#include "print/file/output_file.h"

namespace halftoned {
namespace {

Result<void> Write(const std::string& path, const std::string& text) {
  PendingFiles pending;
  const LastWordsFiles last_words(pending);
  HALFTONED_TRY_ASSIGN(const auto file, OutputFile::Create(path, pending));
  if (file->is_seekable() && ::fchmod(file->fd(), 0644) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot be made readable for filters");
  }
  HALFTONED_TRY(file->Write(std::as_bytes(std::span(text))));
  return file->Commit();
}

}  // namespace

std::string CurvePathOf(const std::string& queue,
                        const std::string& configuration) {
  const auto folder = std::filesystem::path(configuration).parent_path();
  return (folder / (queue + ".curve")).string();
}

Result<WrittenCurve> WriteCurve(const std::string& path,
                                const std::string& text) {
  WrittenCurve written{path, ""};
  const bool is_there = ::access(path.c_str(), F_OK) == 0 || errno != ENOENT;
  if (is_there) {
    HALFTONED_TRY_ASSIGN(const std::string before, ReadTextFile(path));
    written.kept = path + ".old";
    const Result<void> kept = Write(written.kept, before);
    if (!kept.ok()) return InFile(written.kept, kept.error());
  }
  const Result<void> done = Write(path, text);
  if (!done.ok()) return InFile(path, done.error());
  return written;
}

void Undo(const WrittenCurve& written) {
  if (written.kept.empty()) {
    ::unlink(written.path.c_str());
  } else {
    std::rename(written.kept.c_str(), written.path.c_str());
  }
}

}  // namespace halftoned
