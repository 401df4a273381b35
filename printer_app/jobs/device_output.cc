// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL's devices wait without end in write(2) and libusb. While this thread
// sends, functions that stand before these two wait in turns and look whether
// the job is canceled. Nor does PAPPL look whether its files take what it
// writes: the same function does.

#include "printer_app/jobs/device_output.h"

#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <string>
#include <utility>

extern "C" int libusb_bulk_transfer(struct libusb_device_handle* printer,
                                    unsigned char endpoint,
                                    unsigned char* bytes, int size, int* done,
                                    unsigned milliseconds);

namespace halftoned {
namespace {

constexpr int kLookMilliseconds = 200;
constexpr int kUsbTimeout = -7;  // LIBUSB_ERROR_TIMEOUT

struct Transfer {
  pappl_job_t* job;
  size_t taken = 0;  // by the printer
  bool is_cut = false;
};

thread_local Transfer* transfer = nullptr;
thread_local int write_error = 0;

// What devices are still to get of canceled jobs.
std::mutex rests_lock;
std::map<pappl_device_t*, std::string> rests;

std::string TakeRest(pappl_device_t* device) {
  const std::lock_guard lock(rests_lock);
  auto rest = rests.extract(device);
  return rest ? std::move(rest.mapped()) : std::string();
}

void KeepRest(pappl_device_t* device, std::string_view rest) {
  const std::lock_guard lock(rests_lock);
  rests[device] = rest;
}

}  // namespace

bool SendToDevice(pappl_job_t* job, pappl_device_t* device,
                  std::string_view bytes) {
  const std::string with_rest = TakeRest(device).append(bytes);
  if (with_rest.empty()) return true;
  Transfer sent{job};
  transfer = &sent;
  const bool is_sent =
      papplDeviceWrite(device, with_rest.data(), with_rest.size()) >= 0;
  // Else the end would wait for the next bytes in the process.
  papplDeviceFlush(device);
  transfer = nullptr;
  if (is_sent && !sent.is_cut) return true;
  if (!papplJobIsCanceled(job)) return false;
  KeepRest(device, std::string_view(with_rest).substr(
                       std::min(sent.taken, with_rest.size())));
  return true;
}

void ClearWriteError() { write_error = 0; }
int WriteError() { return write_error; }

}  // namespace halftoned

using halftoned::transfer;

extern "C" ssize_t write(int file, const void* bytes, size_t size) {
  if (!transfer) {
    const ssize_t written = syscall(SYS_write, file, bytes, size);
    if (written < 0 && errno != EINTR && errno != EAGAIN) {
      halftoned::write_error = errno;
    }
    return written;
  }
  while (true) {
    const ssize_t sent = send(file, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) {
      transfer->taken += static_cast<size_t>(sent);
      return sent;
    }
    // A device that is a file, or the log.
    if (errno == ENOTSOCK) return syscall(SYS_write, file, bytes, size);
    if ((errno != EAGAIN && errno != EINTR) ||
        papplJobIsCanceled(transfer->job)) {
      transfer->is_cut = true;
      errno = EPIPE;
      return -1;
    }
    pollfd wait = {file, POLLOUT, 0};
    poll(&wait, 1, halftoned::kLookMilliseconds);
  }
}

extern "C" int libusb_bulk_transfer(struct libusb_device_handle* printer,
                                    unsigned char endpoint,
                                    unsigned char* bytes, int size, int* done,
                                    unsigned milliseconds) {
  static const auto move = reinterpret_cast<decltype(&libusb_bulk_transfer)>(
      dlsym(RTLD_NEXT, "libusb_bulk_transfer"));
  if (!move) return -1;
  if (!transfer)
    return move(printer, endpoint, bytes, size, done, milliseconds);
  *done = 0;
  while (*done < size) {
    int more = 0;
    const int error = move(printer, endpoint, bytes + *done, size - *done,
                           &more, halftoned::kLookMilliseconds);
    *done += more;
    transfer->taken += static_cast<size_t>(more);
    if (error == 0) continue;
    transfer->is_cut =
        error != halftoned::kUsbTimeout || papplJobIsCanceled(transfer->job);
    if (transfer->is_cut) return error == halftoned::kUsbTimeout ? 0 : error;
  }
  return 0;
}

// What is left does not belong in front of what the next connection carries.
extern "C" void papplDeviceClose(pappl_device_t* device) {
  halftoned::TakeRest(device);
  const auto close = reinterpret_cast<decltype(&papplDeviceClose)>(
      dlsym(RTLD_NEXT, "papplDeviceClose"));
  if (close) close(device);
}
