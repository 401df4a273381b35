// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library to preload: the time of day jumps a day ahead or back with every
// call. Monotonic clocks are not changed.

#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

#include <atomic>

namespace {

time_t Jump() {
  constexpr time_t kDay = 86'400;
  static std::atomic<unsigned> looks = 0;
  return ++looks % 2 == 0 ? kDay : -kDay;
}

template <typename Function>
Function Real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  static const auto real = Real<int (*)(clockid_t, timespec*)>("clock_gettime");
  const int status = real(clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) {
    now->tv_sec += Jump();
  }
  return status;
}

int gettimeofday(timeval* now, void* zone) noexcept {
  static const auto real = Real<int (*)(timeval*, void*)>("gettimeofday");
  const int status = real(now, zone);
  now->tv_sec += Jump();
  return status;
}

time_t time(time_t* now) noexcept {
  timespec day;
  clock_gettime(CLOCK_REALTIME, &day);
  if (now) *now = day.tv_sec;
  return day.tv_sec;
}

}  // extern "C"
