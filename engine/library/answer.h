// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The border between C++ and C: results and exceptions become statuses and
// texts. Nothing else passes it.

#pragma once

#include <exception>
#include <new>
#include <string_view>

#include "base/result.h"
#include "halftoned/halftone.h"

namespace halftoned {

// Both return the status, and fill `error` if it is not null. They allocate
// nothing; unprintable characters of a text are replaced.
ht_status Succeed(ht_error* error) noexcept;
ht_status Fail(ht_error* error, ht_status status,
               std::string_view text) noexcept;

// The status for callers in C.
ht_status StatusOf(ErrorCode code) noexcept;

// Runs `work`, which returns a Result<void>, and returns its status.
template <typename Work>
ht_status Answer(ht_error* error, const Work& work) noexcept {
  try {
    const Result<void> result = work();
    if (result.ok()) return Succeed(error);
    return Fail(error, StatusOf(result.error().code), result.error().message);
  } catch (const std::bad_alloc&) {
    return Fail(error, HT_UNAVAILABLE, "out of memory");
  } catch (const std::exception& exception) {
    return Fail(error, HT_BUG, exception.what());
  } catch (...) {
    return Fail(error, HT_BUG, "an exception of unknown kind");
  }
}

}  // namespace halftoned
