// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/state_text.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "base/descriptor.h"

namespace halftoned {
namespace {

// Until nobody writes any more; before anybody does, poll waits.
void ReadAll(int pipe, std::string& text) {
  char bytes[1 << 16];
  while (true) {
    pollfd wait = {pipe, POLLIN, 0};
    if (poll(&wait, 1, -1) < 0 && errno != EINTR) return;
    const ssize_t size = read(pipe, bytes, sizeof(bytes));
    if (size == 0) return;
    if (size > 0) text.append(bytes, static_cast<size_t>(size));
  }
}

}  // namespace

Result<std::string> StateText(pappl_system_t* system, const std::string& pipe) {
  if (mkfifo(pipe.c_str(), 0600) != 0 && errno != EEXIST) {
    return ErrnoError(ErrorCode::kIo, pipe);
  }
  HALFTONED_TRY_ASSIGN(const Descriptor reading,
                       Descriptor::Open(pipe, O_RDONLY | O_NONBLOCK));
  HALFTONED_TRY_ASSIGN(Descriptor writing, Descriptor::Open(pipe, O_WRONLY));
  std::string text;
  std::thread reader([&] { ReadAll(reading.get(), text); });
  const bool is_written = papplSystemSaveState(system, pipe.c_str());
  writing.Close();
  reader.join();
  if (!is_written) return IoError(pipe + ": PAPPL cannot open it");
  return text;
}

}  // namespace halftoned
