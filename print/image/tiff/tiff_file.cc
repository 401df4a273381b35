// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/tiff/tiff_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "print/file/temporary_file.h"
#include "print/image/tiff/tiff_directory.h"

namespace halftoned {
namespace {

// One line of text from a libtiff message. It may quote the file, so
// unprintable bytes are removed.
std::string Sentence(const char* format, va_list values) {
  char text[256];
  std::vsnprintf(text, sizeof(text), format, values);
  return Printable(OneLine(text));
}

// Limit for what libtiff keeps of a directory. It keeps every tag, used or not,
// and thousands of tags can share a few bytes. Tags beyond the limit are
// skipped; those that are used need much less.
constexpr int64_t kMaxDirectoryBytes = int64_t{16} << 20;
constexpr int64_t kMaxTagBytes = int64_t{1} << 20;

// Bytes that may be read again for each directory: libtiff reads tables of
// strips in pieces that may be larger than the tables.
constexpr int64_t kTableBytes = int64_t{16} << 10;

// Whether a warning is one that libtiff gives for every file of an old codec.
bool IsAboutAge(std::string_view format) {
  return format.starts_with("Old-style LZW codes") ||
         format.starts_with("Depreciated and troublesome old-style JPEG") ||
         format.starts_with("Deprecated and troublesome old-style JPEG");
}

// Rewords libtiff's sentence: for a directory without entries, old versions say
// that they cannot allocate it.
std::string Clearer(std::string sentence) {
  const auto says = [&](std::string_view words) {
    return sentence.find(words) != sentence.npos;
  };
  if (says("(0 elements") || says("zero tag directories")) {
    return "has an empty directory";
  }
  if (says("Can not read TIFF directory")) return "ends too early";
  if (says("scanline size is zero")) return "has no columns";
  return sentence;
}

}  // namespace

Result<std::unique_ptr<TiffFile>> TiffFile::OpenToRead(int fd,
                                                       SharedReads* reads) {
  std::unique_ptr<TiffFile> file(new TiffFile(fd, reads));
  file->pixels_left_ = kMaxReadings * file->size();
  file->BeginDirectory();
  // m: never map the file, since another process might truncate it.
  // O: load the offsets of strips only as they are needed.
  if (!file->Open("rmO")) return file->TakeError("is not a TIFF file");
  file->EndDirectory();
  return file;
}

Result<std::unique_ptr<TiffFile>> TiffFile::OpenToWrite(int fd, bool big) {
  std::unique_ptr<TiffFile> file(new TiffFile(fd, nullptr));
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
  // The flush writes an open directory.
  const bool flushed = TIFFFlush(tiff_) == 1;
  TIFFClose(std::exchange(tiff_, nullptr));
  return flushed && error_.empty() && !own_error_;
}

Error TiffFile::TakeError(const std::string& otherwise) {
  if (own_error_) return *std::exchange(own_error_, std::nullopt);
  std::string error = std::exchange(error_, {});
  return BadInput(error.empty() ? otherwise : std::move(error));
}

bool TiffFile::ReadDirectory() {
  BeginDirectory();
  if (TIFFReadDirectory(tiff_) != 1) return false;
  EndDirectory();
  return true;
}

void TiffFile::BeginDirectory() {
  reads_directory_ = true;
  directory_left_ = kMaxDirectoryBytes;
  pixels_left_ += kTableBytes;
  directory_complaint_.clear();
}

// Its messages do not explain later failures.
void TiffFile::EndDirectory() {
  reads_directory_ = false;
  error_.clear();
}

void TiffFile::KeepDirectoryComplaint(const std::string& sentence) {
  if (!reads_directory_ || !directory_complaint_.empty()) return;
  if (IsAboutPixels(sentence)) directory_complaint_ = sentence;
}

Result<void> TiffFile::ReadPart(int64_t offset,
                                std::span<std::byte> room) const {
  return ReadAt(fd_, offset, room);
}

Result<void> TiffFile::ReadPixels(int64_t offset, std::span<std::byte> room) {
  HALFTONED_TRY(shared_reads_ ? shared_reads_->Read(fd_, offset, room)
                              : ReadAt(fd_, offset, room));
  if (CountRead(static_cast<int64_t>(room.size()))) return {};
  return TakeError("cannot be read");
}

// Counts bytes to read; false if they exceed the limit.
bool TiffFile::CountRead(int64_t bytes) {
  int64_t& left = reads_directory_ ? directory_left_ : pixels_left_;
  if (reads_directory_ && bytes > kMaxTagBytes) return false;
  if (bytes <= left) {
    left -= bytes;
    return true;
  }
  if (!reads_directory_) {
    KeepOwnError(BadInput("its strips or tiles overlap"));
  }
  return false;
}

// Returns 0 on errors: libtiff adds up the results, and would write before its
// buffer after -1.
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
      self->KeepOwnError(ErrnoError(ErrorCode::kIo, "cannot read"));
      return 0;
    }
    filled += got;
    self->position_ += got;
  }
  return self->CountRead(filled) ? filled : 0;
}

tmsize_t TiffFile::Write(thandle_t handle, void* bytes, tmsize_t count) {
  auto* self = static_cast<TiffFile*>(handle);
  const std::span data(static_cast<const std::byte*>(bytes),
                       static_cast<size_t>(count));
  if (const auto put = WriteAt(self->fd_, self->position_, data); !put.ok()) {
    self->KeepOwnError(put.error());
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

int64_t TiffFile::size() const {
  struct stat status;
  return ::fstat(fd_, &status) == 0 ? status.st_size : 0;
}

toff_t TiffFile::Size(thandle_t handle) {
  return static_cast<toff_t>(static_cast<TiffFile*>(handle)->size());
}

// Keeps only the first error; later ones are its consequences.
int TiffFile::KeepError(TIFF*, void* self, const char*, const char* format,
                        va_list values) {
  auto& file = *static_cast<TiffFile*>(self);
  const std::string sentence = Clearer(Sentence(format, values));
  if (file.error_.empty()) file.error_ = sentence;
  file.KeepDirectoryComplaint(sentence);
  return 1;
}

int TiffFile::KeepWarning(TIFF*, void* self, const char*, const char* format,
                          va_list values) {
  if (IsAboutAge(format)) return 1;
  auto& file = *static_cast<TiffFile*>(self);
  const std::string sentence = Sentence(format, values);
  if (file.warning_.empty()) file.warning_ = sentence;
  file.KeepDirectoryComplaint(sentence);
  return 1;
}

}  // namespace halftoned
