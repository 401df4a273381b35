// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result<T>: a value, or an error whose code says what the caller does next.
// Nothing in the engine throws, prints or exits; it returns one of these.

#pragma once

#include <string>
#include <utility>
#include <variant>

namespace halftoned {

enum class ErrorCode {
  kBadInput,     // the input is wrong: reject it, say what is wrong
  kUnavailable,  // this engine cannot serve now: use another one
  kAskAgain,     // the engine evicted the page, which is no failure: open
                 // it again on the same engine, from the last carry
  kIo,           // reading or writing failed, or was stopped: end the job
  kBug,          // one of our invariants does not hold: end the job
};

struct Error {
  ErrorCode code;
  std::string message;  // one line, for a person, without a full stop
};

inline Error BadInput(std::string message) {
  return {ErrorCode::kBadInput, std::move(message)};
}
inline Error Unavailable(std::string message) {
  return {ErrorCode::kUnavailable, std::move(message)};
}
inline Error IoError(std::string message) {
  return {ErrorCode::kIo, std::move(message)};
}
inline Error Bug(std::string message) {
  return {ErrorCode::kBug, std::move(message)};
}

template <typename T = void>
class [[nodiscard]] Result {
 public:
  // Implicit on purpose: `return value;` and `return BadInput("...");`.
  Result(T value) : state_(std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Precondition of the next three: ok().
  T& value() { return *std::get_if<0>(&state_); }
  const T& value() const { return *std::get_if<0>(&state_); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }

  // Precondition: !ok().
  const Error& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : state_(std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Precondition: !ok().
  const Error& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<std::monostate, Error> state_;
};

// Returns from the enclosing function with the error of `expression`, if any.
#define HALFTONED_TRY(expression)                                \
  do {                                                           \
    auto halftoned_result = (expression);                        \
    if (!halftoned_result.ok()) return halftoned_result.error(); \
  } while (false)

#define HALFTONED_JOIN_INNER(a, b) a##b
#define HALFTONED_JOIN(a, b) HALFTONED_JOIN_INNER(a, b)
#define HALFTONED_TRY_ASSIGN_INNER(result, declaration, expression) \
  auto result = (expression);                                       \
  if (!result.ok()) return result.error();                          \
  declaration = std::move(*result)

// `HALFTONED_TRY_ASSIGN(auto page, Page::Make(...));` declares `page`, or
// returns the error.
#define HALFTONED_TRY_ASSIGN(declaration, expression)                     \
  HALFTONED_TRY_ASSIGN_INNER(HALFTONED_JOIN(halftoned_result_, __LINE__), \
                             declaration, expression)

}  // namespace halftoned
