// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/pulse.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/unix_socket.h"

namespace halftoned {
namespace {

// Parts of the time limit. PAPPL logs each question.
constexpr int kQuestions = 4;
constexpr int kIdleLimits = 10;
constexpr std::chrono::milliseconds kLookForAnswer{250};
constexpr std::chrono::milliseconds kMostOfLook{1000};
constexpr std::string_view kPulseQuestion =
    "GET /halftone-inner/printers HTTP/1.1\r\nHost: localhost\r\n"
    "Connection: close\r\n\r\n";

}  // namespace

PapplPulse::Clock::duration PapplPulse::Interval(bool is_idle) const {
  return is_idle ? most_ * kIdleLimits : most_ / kQuestions;
}

std::chrono::milliseconds PapplPulse::Pause(bool is_idle) const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      is_asked_ ? kLookForAnswer : Interval(is_idle));
}

void PapplPulse::Reset(Clock::time_point now) {
  has_listened_ = false;
  HearAnswer(now);
}

void PapplPulse::HearAnswer(Clock::time_point now) {
  is_asked_ = false;
  question_ = Descriptor();
  last_answer_ = now;
  silence_ = Clock::duration::zero();
}

bool PapplPulse::HasAnswered() const {
  char first = '\0';
  return recv(question_.get(), &first, 1, MSG_DONTWAIT) >= 0 ||
         (errno != EAGAIN && errno != EINTR);
}

void PapplPulse::Ask(Clock::time_point now) {
  const Result<SocketAddress> address = AddressOf(socket_);
  Descriptor question(
      socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const bool is_connected =
      address.ok() &&
      connect(question.get(), address->get(), address->size()) == 0;
  if (is_connected) {
    is_asked_ = has_listened_ = true;
    (void)send(question.get(), kPulseQuestion.data(), kPulseQuestion.size(),
               MSG_NOSIGNAL);
    question_ = std::move(question);
  } else if ((address.ok() && errno == EAGAIN) || has_listened_) {
    is_asked_ = true;  // Its queue is full, or its socket is gone.
  } else {
    HearAnswer(now);  // It starts.
  }
}

bool PapplPulse::IsSilent(Clock::time_point now, bool is_idle) {
  const auto passed = now - last_look_;
  last_look_ = now;
  if (is_asked_ && question_.open() && HasAnswered()) HearAnswer(now);
  if (is_asked_) {
    silence_ += std::min<Clock::duration>(passed, kMostOfLook);
    if (silence_ >= most_) return true;
  }
  const bool is_time =
      is_asked_ ? !question_.open() : now - last_answer_ >= Interval(is_idle);
  if (is_time) Ask(now);
  return false;
}

}  // namespace halftoned
