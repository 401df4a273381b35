// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/user_shares.h"

#include <algorithm>

namespace halftoned {

UserShares::Coming::~Coming() {
  const std::lock_guard lock(shares_.mutex_);
  shares_.Subtract(user_, taken_);
}

bool UserShares::Coming::Take(Share more) {
  const std::lock_guard lock(shares_.mutex_);
  const Share has = shares_.Of(user_);
  if (has.jobs + more.jobs > shares_.most_.jobs ||
      has.bytes + more.bytes > shares_.most_.bytes ||
      (more.bytes > 0 && !shares_.Has(more.bytes, user_)) ||
      (more.jobs > 0 && !shares_.MayCreate(user_, more.jobs))) {
    return false;
  }
  shares_.users_[user_] = {has.jobs + more.jobs, has.bytes + more.bytes};
  if (user_.is_remote) shares_.remote_bytes_ += more.bytes;
  taken_.jobs += more.jobs;
  taken_.bytes += more.bytes;
  return true;
}

void UserShares::Coming::GiveTo(const JobKey& job) {
  const std::lock_guard lock(shares_.mutex_);
  Job& owned = shares_.jobs_[job];
  if (owned.user != user_) {
    // Another printer of the name had it.
    shares_.Subtract(owned.user, owned.share);
    owned = {user_, {}};
  }
  owned.share.jobs += taken_.jobs;
  owned.share.bytes += taken_.bytes;
  taken_ = {};
}

std::vector<UserShares::JobKey> UserShares::Jobs() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobKey> keys;
  keys.reserve(jobs_.size());
  for (const auto& [key, job] : jobs_) keys.push_back(key);
  return keys;
}

void UserShares::Forget(const JobKey& job) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return;
  Subtract(found->second.user, found->second.share);
  jobs_.erase(found);
}

bool UserShares::IsTimeToLook() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size() >= next_look_;
}

void UserShares::HaveLooked() {
  const std::lock_guard lock(mutex_);
  next_look_ = std::max(kFirstLook, 2 * jobs_.size());
}

bool UserShares::MayCreate(const User& user, int jobs) {
  constexpr std::chrono::minutes kMinute(1);
  const auto now = Clock::now();
  if (minutes_.size() >= kMostMinutes) {
    std::erase_if(minutes_, [&](const auto& each) {
      return now - each.second.begin >= kMinute;
    });
  }
  Minute& minute = minutes_[user];
  if (now - minute.begin >= kMinute) minute = {now, 0};
  if (minute.jobs + jobs > kMostPerMinute) return false;
  minute.jobs += jobs;
  created_ += jobs;
  return true;
}

bool UserShares::IsTimeToTidy() {
  const std::lock_guard lock(mutex_);
  if (created_ < kMostOfTidy) return false;
  created_ = 0;
  return true;
}

UserShares::Share UserShares::Of(const User& user) const {
  const auto found = users_.find(user);
  return found == users_.end() ? Share{} : found->second;
}

bool UserShares::Has(uint64_t bytes, const User& user) const {
  const uint64_t free = free_();
  const uint64_t own = Of(user).bytes;
  return own + bytes <= (free + own) / 2 &&
         (!user.is_remote ||
          remote_bytes_ + bytes <= (free + remote_bytes_) / 4 * 3);
}

void UserShares::Subtract(const User& user, Share less) {
  const auto found = users_.find(user);
  if (found == users_.end()) return;
  Share& share = found->second;
  share.jobs -= less.jobs;
  share.bytes -= less.bytes;
  if (user.is_remote) remote_bytes_ -= less.bytes;
  if (share.jobs <= 0 && share.bytes == 0) users_.erase(found);
}

}  // namespace halftoned
