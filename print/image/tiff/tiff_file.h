// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Owns a libtiff handle on a descriptor. Limits allocations and reads, and
// keeps libtiff's messages for the caller instead of printing them.

#pragma once

#include <tiffio.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "print/file/shared_reads.h"

namespace halftoned {

class TiffFile {
 public:
  // Limit for reading the same bytes repeatedly. Strips may share bytes, but no
  // strip is read twice, so a file that exceeds the limit was made to waste
  // time.
  static constexpr int64_t kMaxReadings = 16;

  // Limit for a single allocation of libtiff, or of a reader of tiles.
  static constexpr size_t kMaxBytesAtOnce = size_t{512} << 20;

  // `fd` is seekable, and outlives the handle; its position is not used.
  // reads: shares large reads of pixels; may be null, outlives the handle.
  static Result<std::unique_ptr<TiffFile>> OpenToRead(int fd,
                                                      SharedReads* reads);
  // big: BigTIFF, for files above 4 GiB.
  static Result<std::unique_ptr<TiffFile>> OpenToWrite(int fd, bool big);
  ~TiffFile();
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;

  TIFF* get() const { return tiff_; }
  int64_t size() const;  // bytes

  // Reads the next directory.
  bool ReadDirectory();
  // libtiff's message about pixels (tiff_directory.h) while it read the current
  // directory; empty if there was none.
  const std::string& directory_complaint() const {
    return directory_complaint_;
  }
  // Fills `room` from `offset` on, bypassing libtiff.
  Result<void> ReadPart(int64_t offset, std::span<std::byte> room) const;
  // Fills `room` with pixels from `offset` on, bypassing libtiff.
  Result<void> ReadPixels(int64_t offset, std::span<std::byte> room);

  // Finishes writing; false if that failed.
  bool Close();

  // The error since the last call of these functions; `otherwise` if libtiff
  // reported none.
  Error TakeError(const std::string& otherwise);
  // Whether libtiff has warned since the last ForgetWarnings.
  bool has_warning() const { return !warning_.empty(); }
  Error WarningAsError() const { return BadInput(warning_); }
  void ForgetWarnings() { warning_.clear(); }

 private:
  TiffFile(int fd, SharedReads* reads) : fd_(fd), shared_reads_(reads) {}
  bool Open(const char* mode);
  void BeginDirectory();
  void EndDirectory();
  void KeepDirectoryComplaint(const std::string& sentence);
  bool CountRead(int64_t bytes);
  void KeepOwnError(const Error& error) {
    if (!own_error_) own_error_ = error;
  }

  // Callbacks of libtiff; the handle is the TiffFile.
  static tmsize_t Read(thandle_t handle, void* room, tmsize_t bytes);
  static tmsize_t Write(thandle_t handle, void* bytes, tmsize_t count);
  static toff_t Seek(thandle_t handle, toff_t offset, int whence);
  static toff_t Size(thandle_t handle);
  static int CloseNothing(thandle_t) { return 0; }
  static int MapNothing(thandle_t, void**, toff_t*) { return 0; }
  static void UnmapNothing(thandle_t, void*, toff_t) {}
  static int KeepError(TIFF*, void* self, const char* module,
                       const char* format, va_list values);
  static int KeepWarning(TIFF*, void* self, const char* module,
                         const char* format, va_list values);

  const int fd_;
  SharedReads* const shared_reads_;
  TIFF* tiff_ = nullptr;
  int64_t position_ = 0;
  std::optional<Error> own_error_;  // from the first read or write that failed
  // Bytes that may still be read: for this directory, and for all pixels.
  bool reads_directory_ = false;
  int64_t directory_left_ = 0;
  int64_t pixels_left_ = std::numeric_limits<int64_t>::max();
  std::string error_;
  std::string warning_;
  std::string directory_complaint_;
};

}  // namespace halftoned
