// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call that cannot be ended, such as a question to a name server that does
// not answer for half a minute. The job that waits for it can be canceled.

#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace halftoned {

// The result of `call`, or nothing if the job is canceled meanwhile: then the
// call goes on in a thread of its own. So it must own all that it uses. There
// is no result either if 64 such calls are running.
template <typename Found>
std::optional<Found> CallUnlessCanceled(
    std::function<Found()> call, const std::function<bool()>& is_canceled) {
  constexpr std::chrono::milliseconds kBetweenLooks{200};
  constexpr int kMostCalls = 64;
  static std::atomic<int> calls = 0;
  struct Answer {
    std::mutex mutex;
    std::condition_variable has_come;
    std::optional<Found> found;
  };
  auto answer = std::make_shared<Answer>();
  if (++calls > kMostCalls) {
    --calls;
    return std::nullopt;
  }
  try {
    std::thread([answer, call = std::move(call)] {
      Found found = call();
      --calls;
      const std::lock_guard lock(answer->mutex);
      answer->found = std::move(found);
      answer->has_come.notify_all();
    }).detach();
  } catch (const std::system_error&) {  // there is no thread for it
    --calls;
    return std::nullopt;
  }
  std::unique_lock lock(answer->mutex);
  while (!answer->has_come.wait_for(
      lock, kBetweenLooks, [&] { return answer->found.has_value(); })) {
    if (is_canceled()) return std::nullopt;
  }
  return std::move(answer->found);
}

}  // namespace halftoned
