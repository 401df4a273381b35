// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libtiff handle on a descriptor: owned, with bounded allocations and reads,
// and with what libtiff has to say kept for whoever called it instead of
// printed. Knows nothing of what the file holds.

#ifndef HALFTONED_TOOLS_IMAGE_TIFF_FILE_H_
#define HALFTONED_TOOLS_IMAGE_TIFF_FILE_H_

#include <tiffio.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"

namespace halftoned {

class TiffFile {
 public:
  // Several strips may share bytes, and none is read twice; so a file that has
  // its bytes read more often than this is made to waste time.
  static constexpr int64_t kMaxReadings = 16;

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
  int64_t size() const;  // bytes

  // Goes to the next directory.
  bool ReadDirectory();
  // Fills `room` with pixels from `offset` on, past libtiff.
  Result<void> ReadPixels(int64_t offset, std::span<std::byte> room);

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
  void BeginDirectory();
  bool CountRead(int64_t bytes);
  void KeepOwnError(const Error& error) {
    if (!own_error_) own_error_ = error;
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
  std::optional<Error> own_error_;  // of the first read or write that failed
  // Bytes that may still be read: for this directory, and for all pixels.
  bool reads_directory_ = false;
  int64_t directory_left_ = 0;
  int64_t pixels_left_ = std::numeric_limits<int64_t>::max();
  std::string error_;
  std::string warning_;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_IMAGE_TIFF_FILE_H_
