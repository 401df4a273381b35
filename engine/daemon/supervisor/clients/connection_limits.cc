// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/clients/connection_limits.h"

namespace halftoned::daemon {

Admission::Seat::Seat(Admission& admission, uid_t uid)
    : admission_(&admission), uid_(uid) {
  for (Count* count : {&admission.all_, &admission.users_[uid]}) {
    ++count->connections;
    ++count->hellos;
  }
}

Admission::Seat::~Seat() {
  if (!admission_) return;
  Greet();
  const auto user = admission_->users_.find(uid_);
  --admission_->all_.connections;
  if (--user->second.connections == 0) admission_->users_.erase(user);
}

void Admission::Seat::Greet() {
  if (!admission_ || std::exchange(is_greeted_, true)) return;
  --admission_->all_.hellos;
  --admission_->users_[uid_].hellos;
}

std::variant<Admission::Seat, Refusal> Admission::Arrive(uid_t uid) {
  const auto found = users_.find(uid);
  const Count user = found == users_.end() ? Count() : found->second;
  if (all_.connections >= limits_.connections) return Refusal::kConnections;
  if (user.connections >= limits_.connections_of_user) {
    return Refusal::kConnectionsOfUser;
  }
  if (all_.hellos >= Limits::kHellos || user.hellos >= Limits::kHellosOfUser) {
    return Refusal::kHellos;
  }
  return Seat(*this, uid);
}

}  // namespace halftoned::daemon
