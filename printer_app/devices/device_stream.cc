// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/device_stream.h"

#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "printer_app/devices/lingering.h"
#include "printer_app/devices/tcp_state.h"

namespace halftoned {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{200};  // whether it is canceled
constexpr std::chrono::milliseconds kLookAtQueue{10};
constexpr std::chrono::seconds kMostSecondsOfEnd{5};
constexpr std::chrono::milliseconds kSilence{1000};
constexpr std::chrono::milliseconds kLasting{100};

bool IsSocket(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISSOCK(status.st_mode);
}

// Whether it was reset, or closed in both directions: some printers close only
// theirs.
bool HasEnded(int connection) {
  pollfd look = {connection, 0, 0};
  return poll(&look, 1, 0) > 0;
}

// Whether the file is ready now, or the other end has closed it.
bool WaitFor(int file, short events,
             std::chrono::milliseconds longest = kLook) {
  pollfd wait = {file, events, 0};
  return poll(&wait, 1, static_cast<int>(longest.count())) > 0;
}

}  // namespace

DeviceStream::DeviceStream(Descriptor printer)
    : printer_(std::move(printer)),
      is_socket_(IsSocket(printer_.get())),
      listens_(is_socket_) {
  const int flags = fcntl(printer_.get(), F_GETFL);
  fcntl(printer_.get(), F_SETFL, flags | O_NONBLOCK);
}

DeviceStream::DeviceStream(Descriptor printer, Descriptor acknowledgements,
                           Child program)
    : DeviceStream(std::move(printer)) {
  acknowledgements_ = std::move(acknowledgements);
  program_.emplace(std::move(program));
  listens_ = false;
}

DeviceStream::~DeviceStream() {
  if (is_connection()) {
    DropAtEndOfProcess(false);
    Linger(std::move(printer_), heard_, std::move(user_));
  }
  printer_.Close();
  if (!program_) return;
  // It ends by itself, unless the printer does not take what a canceled job
  // has left.
  const Result<Stop> never = Stop::Make();
  if (handed_on_ == sent_ && never.ok()) {
    (void)program_->Finish(*never, kMostSecondsOfEnd).ok();
  }
}

void DeviceStream::DropWords() {
  char words[4096];
  ssize_t size = 1;
  while (listens_ && size > 0) {
    size = recv(printer_.get(), words, sizeof(words), MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    heard_ += static_cast<uint64_t>(std::max<ssize_t>(size, 0));
    listens_ = size > 0 && heard_ < kMostWords;
    is_broken_ |= size < 0;
  }
}

void DeviceStream::BeginJobOf(UserShares::User user) {
  user_ = std::move(user);
  DropAtEndOfProcess(true);
}

void DeviceStream::DropAtEndOfProcess(bool drops) const {
  const linger linger = {drops ? 1 : 0, 0};
  setsockopt(printer_.get(), SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
}

void DeviceStream::ReopenBy(Reopen reopen) {
  if (!is_connection()) return;
  reopen_ = std::move(reopen);
  opened_ = Clock::now();
}

bool DeviceStream::IsOld() const {
  // The end of a connection takes its time, too.
  const auto lasting = std::max<std::chrono::microseconds>(
      kLasting, 2 * RoundTrip(printer_.get()));
  return Clock::now() - opened_ >= lasting;
}

bool DeviceStream::HasLasted() const {
  return IsOld() && !HasEnded(printer_.get()) &&
         (!IsGone() || AckedBytes(printer_.get()) > 0);
}

bool DeviceStream::Reconnect() {
  const std::unique_ptr<DeviceStream> again = reopen_();
  if (!again) return false;
  printer_ = std::move(again->printer_);
  opened_ = Clock::now();
  listens_ = true;
  is_broken_ = false;
  heard_ = sent_ = 0;
  DropAtEndOfProcess(true);
  return true;
}

void DeviceStream::AwaitLasting(std::string_view& bytes,
                                const std::function<bool()>& is_canceled) {
  while (!HasLasted() && !is_canceled()) {
    if (HasEnded(printer_.get())) {
      if (!Reconnect()) break;
    } else if (IsOld() && IsGone() && sent_ == 0) {
      sent_ = send(printer_.get(), bytes.data(), 1, MSG_NOSIGNAL) > 0 ? 1 : 0;
    }
    std::this_thread::sleep_for(kLookAtQueue);
  }
  bytes.remove_prefix(sent_);
  reopen_ = nullptr;
}

bool DeviceStream::HandOver(const std::function<bool()>& is_canceled) {
  if (!is_connection()) return true;
  SetOfTcp(TCP_NOTSENT_LOWAT, 1);  // POLLOUT: the kernel has sent all bytes
  while (!is_canceled()) {
    DropWords();
    if (HasEnded(printer_.get())) return AckedBytes(printer_.get()) >= sent_;
    int left = 0;
    if (ioctl(printer_.get(), SIOCOUTQNSD, &left) != 0 || left == 0) break;
    WaitFor(printer_.get(), POLLOUT, kLookAtQueue);
  }
  return true;
}

bool DeviceStream::Drain(const std::function<bool()>& is_canceled,
                         const Tell& tell, std::string_view last) {
  const size_t held = is_connection() && !last.empty() ? 1 : 0;
  const std::string_view end = last.substr(last.size() - held);
  last.remove_suffix(held);
  if (!Send(last, is_canceled) || !HandOver(is_canceled)) return false;
  // The kernel does not send the end before the job counts as sent, so a kill
  // before that leaves the printer without it, and one after it does not.
  const bool is_whole = !is_canceled();
  SetOfTcp(TCP_CORK, 1);
  if (!Send(end, is_canceled)) return false;
  DropAtEndOfProcess(false);
  if (is_whole) tell(true);
  SetOfTcp(TCP_CORK, 0);
  int last_left = 0;
  bool is_silent = false;
  auto changed = Clock::now();
  while (is_connection() && !is_canceled()) {
    DropWords();
    int left = 0, error = 0;
    socklen_t size = sizeof(error);
    if (ioctl(printer_.get(), SIOCOUTQ, &left) != 0) break;
    // A connection that is reset has none left, too.
    if (getsockopt(printer_.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 ||
        error != 0 || is_broken_) {
      return AckedBytes(printer_.get()) >= sent_;
    }
    if (left == 0) break;
    if (left != std::exchange(last_left, left)) changed = Clock::now();
    if (!is_silent && Clock::now() - changed > kSilence) {
      is_silent = true;
      tell(false);
      DropAtEndOfProcess(true);
    }
    std::this_thread::sleep_for(kLookAtQueue);
  }
  if (is_silent && !is_canceled()) {
    tell(true);
    DropAtEndOfProcess(false);
  }
  return true;
}

void DeviceStream::SetOfTcp(int option, int value) const {
  setsockopt(printer_.get(), IPPROTO_TCP, option, &value, sizeof(value));
}

bool DeviceStream::IsGone() const {
  pollfd look = {printer_.get(), POLLRDHUP, 0};
  return poll(&look, 1, 0) > 0;
}

bool DeviceStream::Send(std::string_view bytes,
                        const std::function<bool()>& is_canceled) {
  if (is_cut_) return is_canceled();
  std::string_view rest = rest_;
  Step step = Write(rest, is_canceled);
  rest_.erase(0, rest_.size() - rest.size());
  if (step == Step::kDone) step = Write(bytes, is_canceled);
  is_cut_ = is_cut_ || rest_.size() + bytes.size() > kMostRest;
  if (is_cut_) {
    rest_ = {};
  } else {
    rest_.append(bytes);
  }
  if (step == Step::kDone) step = WaitForProgram(is_canceled);
  return step != Step::kFailed || is_canceled();
}

void DeviceStream::SendRest(const std::function<bool()>& is_canceled) {
  if (Send({}, is_canceled)) (void)Drain(is_canceled);
}

DeviceStream::Step DeviceStream::Write(
    std::string_view& bytes, const std::function<bool()>& is_canceled) {
  if (reopen_ && !bytes.empty()) {
    AwaitLasting(bytes, is_canceled);
    // The printer has nothing to complete.
    is_cut_ = is_canceled();
    if (is_cut_) return Step::kCanceled;
  }
  while (!bytes.empty()) {
    const ssize_t count =
        is_socket_
            ? send(printer_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL)
            : write(printer_.get(), bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<size_t>(count));
      sent_ += static_cast<uint64_t>(count);
      continue;
    }
    if (count < 0 && errno != EAGAIN && errno != EINTR) return Step::kFailed;
    if (is_canceled()) return Step::kCanceled;
    WaitFor(printer_.get(), listens_ ? POLLOUT | POLLIN : POLLOUT);
    DropWords();
  }
  return Step::kDone;
}

DeviceStream::Step DeviceStream::WaitForProgram(
    const std::function<bool()>& is_canceled) {
  while (program_ && handed_on_ < sent_) {
    if (is_canceled()) return Step::kCanceled;
    if (!WaitFor(acknowledgements_.get(), POLLIN)) continue;
    if (read(acknowledgements_.get(), &handed_on_, sizeof(handed_on_)) !=
        sizeof(handed_on_)) {
      return Step::kFailed;
    }
  }
  return Step::kDone;
}

}  // namespace halftoned
