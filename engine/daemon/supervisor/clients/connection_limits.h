// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts connections, and decides whether another one is allowed. Knows only
// numbers and users, no sockets.

#pragma once

#include <sys/types.h>

#include <map>
#include <utility>
#include <variant>

#include "daemon/supervisor/clients/refusal.h"

namespace halftoned::daemon {

struct Limits {
  // Limit for connections whose hello has not been read; so small that one user
  // leaves room for other users.
  static constexpr int kHellos = 64;
  static constexpr int kHellosOfUser = 32;
  // Limit for connections that have given up their seats and have not ended
  // yet.
  static constexpr int kDismissed = 64;
  static constexpr int kDismissedOfUser = 32;

  int connections = 0;
  int connections_of_user = 0;
};

class Admission {
 public:
  // A counted connection, without a hello at first; the destructor uncounts it.
  // The admission outlives it.
  class Seat {
   public:
    Seat() = default;  // not counted
    Seat(Admission& admission, uid_t uid);
    ~Seat();
    Seat(Seat&& other) noexcept { *this = std::move(other); }
    Seat& operator=(Seat&& other) noexcept {
      std::swap(admission_, other.admission_);
      std::swap(uid_, other.uid_);
      std::swap(is_greeted_, other.is_greeted_);
      return *this;
    }
    // Call when the hello has been read.
    void Greet();

   private:
    Admission* admission_ = nullptr;
    uid_t uid_ = 0;
    bool is_greeted_ = false;
  };

  explicit Admission(Limits limits) : limits_(limits) {}
  Admission(const Admission&) = delete;
  Admission& operator=(const Admission&) = delete;

  // Applies to connections from now on.
  void SetLimits(Limits limits) { limits_ = limits; }

  std::variant<Seat, Refusal> Arrive(uid_t uid);

  int connections() const { return all_.connections; }

 private:
  struct Count {
    int connections = 0;
    int hellos = 0;
  };

  Limits limits_;
  Count all_;
  std::map<uid_t, Count> users_;
};

}  // namespace halftoned::daemon
