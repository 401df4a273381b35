// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/state_text.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "base/descriptor.h"

namespace halftoned {
namespace {

// Appends what the pipe holds. False: nobody writes any more.
bool ReadWhatItHolds(int pipe, std::string& text) {
  char bytes[1 << 16];
  while (true) {
    const ssize_t size = read(pipe, bytes, sizeof(bytes));
    if (size == 0) return false;
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return true;
    text.append(bytes, static_cast<size_t>(size));
  }
}

// Until `is_written` can be read. The end of the pipe does not tell: libcups
// opens it without O_CLOEXEC, so a program that is started at that moment, such
// as Ghostscript, holds it for as long as it runs.
void ReadAll(int pipe, int is_written, std::string& text) {
  pollfd waits[] = {{pipe, POLLIN, 0}, {is_written, POLLIN, 0}};
  while (true) {
    if (poll(waits, 2, -1) < 0) continue;
    const bool is_last = waits[1].revents != 0;
    if (!ReadWhatItHolds(pipe, text)) waits[0].fd = -1;
    if (is_last) return;
  }
}

}  // namespace

Result<std::string> StateText(pappl_system_t* system, const std::string& pipe) {
  if (mkfifo(pipe.c_str(), 0600) != 0 && errno != EEXIST) {
    return ErrnoError(ErrorCode::kIo, pipe);
  }
  HALFTONED_TRY_ASSIGN(const Descriptor reading,
                       Descriptor::Open(pipe, O_RDONLY | O_NONBLOCK));
  const Descriptor done(eventfd(0, EFD_CLOEXEC));
  if (!done.open()) return ErrnoError(ErrorCode::kIo, pipe);
  std::string text;
  std::thread reader([&] { ReadAll(reading.get(), done.get(), text); });
  const bool is_written = papplSystemSaveState(system, pipe.c_str());
  eventfd_write(done.get(), 1);
  reader.join();
  if (!is_written) return IoError(pipe + ": PAPPL cannot open it");
  return text;
}

}  // namespace halftoned
