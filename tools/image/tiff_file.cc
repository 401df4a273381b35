// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/tiff_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <span>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "file/temporary_file.h"

namespace halftoned {
namespace {

// One line of what libtiff says; it may quote the file, so only what prints
// is kept.
std::string Sentence(const char* format, va_list values) {
  char text[256];
  std::vsnprintf(text, sizeof(text), format, values);
  std::string sentence = Printable(text);
  if (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
  return sentence;
}

// Said of every file that an old codec wrote, however good it is.
bool IsAboutAge(std::string_view format) {
  return format.starts_with("Old-style LZW codes") ||
         format.starts_with("Depreciated and troublesome old-style JPEG") ||
         format.starts_with("Deprecated and troublesome old-style JPEG");
}

}  // namespace

Result<std::unique_ptr<TiffFile>> TiffFile::OpenToRead(int fd) {
  std::unique_ptr<TiffFile> file(new TiffFile(fd));
  // m: never map the file, since another process may cut it short.
  // O: load the offsets of strips only as they are needed.
  if (!file->Open("rmO")) return file->TakeError("is no TIFF file");
  return file;
}

Result<std::unique_ptr<TiffFile>> TiffFile::OpenToWrite(int fd, bool big) {
  std::unique_ptr<TiffFile> file(new TiffFile(fd));
  if (!file->Open(big ? "w8" : "w")) {
    return IoError(file->TakeError("cannot write").message);
  }
  return file;
}

bool TiffFile::Open(const char* mode) {
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
  if (!options) return false;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, kMaxBytesAtOnce);
  TIFFOpenOptionsSetErrorHandlerExtR(options, KeepError, this);
  TIFFOpenOptionsSetWarningHandlerExtR(options, KeepWarning, this);
  tiff_ = TIFFClientOpenExt("TIFF", mode, this, Read, Write, Seek, CloseNothing,
                            Size, MapNothing, UnmapNothing, options);
  TIFFOpenOptionsFree(options);
  return tiff_ != nullptr;
}

TiffFile::~TiffFile() {
  if (tiff_) TIFFClose(tiff_);
}

bool TiffFile::Close() {
  // A directory that is still open is written by the flush.
  const bool flushed = TIFFFlush(tiff_) == 1;
  TIFFClose(std::exchange(tiff_, nullptr));
  return flushed && error_.empty() && !io_error_;
}

Error TiffFile::TakeError(const std::string& otherwise) {
  if (io_error_) return *std::exchange(io_error_, std::nullopt);
  std::string error = std::exchange(error_, {});
  return BadInput(error.empty() ? otherwise : std::move(error));
}

tmsize_t TiffFile::Read(thandle_t handle, void* room, tmsize_t bytes) {
  auto* self = static_cast<TiffFile*>(handle);
  tmsize_t filled = 0;
  while (filled < bytes) {
    const ssize_t got =
        ::pread(self->fd_, static_cast<char*>(room) + filled,
                static_cast<size_t>(bytes - filled), self->position_);
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR) continue;
      self->KeepIoError(ErrnoError(ErrorCode::kIo, "cannot read"));
      return -1;
    }
    filled += got;
    self->position_ += got;
  }
  return filled;
}

tmsize_t TiffFile::Write(thandle_t handle, void* bytes, tmsize_t count) {
  auto* self = static_cast<TiffFile*>(handle);
  const std::span data(static_cast<const std::byte*>(bytes),
                       static_cast<size_t>(count));
  if (const auto put = WriteAt(self->fd_, self->position_, data); !put.ok()) {
    self->KeepIoError(put.error());
    return -1;
  }
  self->position_ += count;
  return count;
}

toff_t TiffFile::Seek(thandle_t handle, toff_t offset, int whence) {
  auto* self = static_cast<TiffFile*>(handle);
  const int64_t by = static_cast<int64_t>(offset);
  const int64_t base = whence == SEEK_SET   ? 0
                       : whence == SEEK_CUR ? self->position_
                                            : int64_t(Size(handle));
  int64_t target;
  if (__builtin_add_overflow(base, by, &target) || target < 0) {
    return static_cast<toff_t>(-1);
  }
  self->position_ = target;
  return static_cast<toff_t>(target);
}

toff_t TiffFile::Size(thandle_t handle) {
  struct stat status;
  if (::fstat(static_cast<TiffFile*>(handle)->fd_, &status) != 0) return 0;
  return static_cast<toff_t>(status.st_size);
}

// The first error is the cause, what follows are its consequences.
int TiffFile::KeepError(TIFF*, void* self, const char*, const char* format,
                        va_list values) {
  std::string& kept = static_cast<TiffFile*>(self)->error_;
  if (kept.empty()) kept = Sentence(format, values);
  return 1;
}

int TiffFile::KeepWarning(TIFF*, void* self, const char*, const char* format,
                          va_list values) {
  if (IsAboutAge(format)) return 1;
  std::string& kept = static_cast<TiffFile*>(self)->warning_;
  if (kept.empty()) kept = Sentence(format, values);
  return 1;
}

}  // namespace halftoned
