// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libtiff handle on a descriptor: owned, with bounded allocations, and with
// what libtiff has to say kept for whoever called it instead of printed. Knows
// nothing of what the file holds.

#ifndef HALFTONED_TOOLS_IMAGE_TIFF_FILE_H_
#define HALFTONED_TOOLS_IMAGE_TIFF_FILE_H_

#include <tiffio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"

namespace halftoned {

class TiffFile {
 public:
  // The largest piece that libtiff, or a reader of tiles, may hold at once.
  static constexpr size_t kMaxBytesAtOnce = size_t{512} << 20;

  // `fd` is seekable, and outlives the handle; its position is not used.
  static Result<std::unique_ptr<TiffFile>> OpenToRead(int fd);
  // big: BigTIFF, for files above 4 GiB.
  static Result<std::unique_ptr<TiffFile>> OpenToWrite(int fd, bool big);
  ~TiffFile();
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;

  TIFF* get() const { return tiff_; }
  int fd() const { return fd_; }

  // Ends writing; false if something could not be written.
  bool Close();

  // What went wrong since the last call of these; `otherwise` if libtiff did
  // not say.
  Error TakeError(const std::string& otherwise);
  // Whether libtiff warned since the last ForgetWarnings.
  bool has_warning() const { return !warning_.empty(); }
  Error WarningAsError() const { return BadInput(warning_); }
  void ForgetWarnings() { warning_.clear(); }

 private:
  explicit TiffFile(int fd) : fd_(fd) {}
  bool Open(const char* mode);
  void KeepIoError(const Error& error) {
    if (!io_error_) io_error_ = error;
  }

  // What libtiff calls; the handle is the TiffFile.
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
  TIFF* tiff_ = nullptr;
  int64_t position_ = 0;
  std::optional<Error> io_error_;  // of the first read or write that failed
  std::string error_;
  std::string warning_;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_IMAGE_TIFF_FILE_H_
