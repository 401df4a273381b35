// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/user_shares.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <utility>

#include "printer_app/front/callers/network.h"

namespace halftoned {
namespace {

// Small documents of a user, and the part of the free space that they may take.
constexpr uint64_t kMostSmall = uint64_t{4} << 20;
constexpr uint64_t kPartOfSmall = 8;

// True if all that a group has is at most three quarters of what it shares.
bool IsWithinGroup(uint64_t has, uint64_t more, uint64_t free) {
  return has + more <= (free + has) / 4 * 3;
}

void AddTo(UserShares::Share& share, const UserShares::Share& more) {
  share.jobs += more.jobs;
  share.bytes += more.bytes;
  share.held += more.held;
}

UserShares::User SiteOfUser(const UserShares::User& user) {
  return {SiteOf(user.name), user.group};
}

uint64_t BytesOf(const UserShares::Share& share) { return share.bytes; }

uint64_t JobsOf(const UserShares::Share& share) {
  return static_cast<uint64_t>(share.jobs);
}

}  // namespace

UserShares::Room UserShares::RoomOf(const std::string& folder) {
  constexpr uint64_t kMostOfReserve = uint64_t{256} << 20;
  constexpr uint64_t kPartOfReserve = 16;
  constexpr uint64_t kFilesOfJob = 4;
  Room room;
  struct statvfs disk;
  if (statvfs(folder.c_str(), &disk) != 0) return room;
  room.bytes = {
      disk.f_frsize * disk.f_bavail,
      std::min(disk.f_frsize * disk.f_blocks / kPartOfReserve, kMostOfReserve)};
  // Some file systems hold any number of files, and say 0.
  if (disk.f_files > 0) {
    room.jobs = {disk.f_favail / kFilesOfJob,
                 disk.f_files / kPartOfReserve / kFilesOfJob};
  }
  return room;
}

UserShares::Coming::~Coming() {
  const std::lock_guard lock(shares_.mutex_);
  shares_.Subtract(user_, taken_);
}

bool UserShares::Coming::Take(Share more) {
  const std::lock_guard lock(shares_.mutex_);
  limit_ = shares_.FindLimit(user_, more);
  is_of_files_ = more.jobs > 0;
  if (limit_ != Limit::kNone) return false;
  shares_.Add(user_, more);
  AddTo(taken_, more);
  return true;
}

void UserShares::Coming::GiveTo(const JobKey& job) {
  const std::lock_guard lock(shares_.mutex_);
  Job& owned = shares_.jobs_[job];
  shares_.Subtract(owned.user, owned.share);
  // If it is new, another printer of the name had an old one of its number.
  if (taken_.jobs > 0) owned.share = {};
  // The user who sends a document owns its job, as after a restart.
  owned.user = user_;
  shares_.Add(user_, owned.share);
  AddTo(owned.share, taken_);
  taken_ = {};
}

void UserShares::Add(const JobKey& job, const User& user, Share share) {
  const std::lock_guard lock(mutex_);
  Add(user, share);
  jobs_[job] = {user, share};
  next_look_ = 0;
}

bool UserShares::SetHeld(const JobKey& job, bool is_held, bool force) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return true;
  Job& owned = found->second;
  const int held = is_held ? owned.share.jobs : 0;
  if (!force && !MayHold(owned.user, held - owned.share.held)) return false;
  Subtract(owned.user, owned.share);
  owned.share.held = held;
  Add(owned.user, owned.share);
  return true;
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

UserShares::Share UserShares::OfGroup(Group group) const {
  const auto found = groups_.find(group);
  return found == groups_.end() ? Share{} : found->second;
}

UserShares::Share UserShares::OfSite(const User& user) const {
  const auto found = sites_.find(SiteOfUser(user));
  return found == sites_.end() ? Share{} : found->second;
}

bool UserShares::IsWithinGroupJobs(const User& user, int jobs) const {
  if (user.group == Group::kUsers || jobs == 0) return true;
  const int64_t all = OfGroup(user.group).jobs;
  const int64_t most = int64_t{kMostOfGroup} * most_.jobs;
  // Half of what others leave; has: of the user, or of the site.
  const auto is_half = [&](int64_t has, int64_t beyond) {
    return has + jobs <= (most - (all - has)) / 2 + beyond;
  };
  if (Of(user).jobs + jobs <= kFewJobs) {
    return all + jobs <= most + most_.jobs &&
           is_half(OfSite(user).jobs, (int64_t{most_.jobs} + 1) / 2);
  }
  return is_half(Of(user).jobs, 0) && is_half(OfSite(user).jobs, 0);
}

bool UserShares::MayHold(const User& user, int jobs) const {
  return user.group == Group::kUsers || jobs <= 0 ||
         OfGroup(user.group).held + jobs <= most_.jobs;
}

UserShares::Limit UserShares::FindLimit(const User& user, Share more) {
  const Share has = Of(user);
  if (has.jobs + more.jobs > most_.jobs) return Limit::kJobs;
  if (!IsWithinGroupJobs(user, more.jobs)) return Limit::kGroupJobs;
  if (!MayHold(user, more.held)) return Limit::kHeld;
  if (has.bytes + more.bytes > most_.bytes) return Limit::kBytes;
  const Room room = room_();
  for (const auto& [space, count] :
       {std::pair(room.bytes, &BytesOf), std::pair(room.jobs, &JobsOf)}) {
    if (count(more) == 0) continue;
    const Limit limit = FindLimitOfDisk(user, more, space, count);
    if (limit != Limit::kNone) return limit;
  }
  return more.jobs == 0 || MayCreate(user, more.jobs) ? Limit::kNone
                                                      : Limit::kMinute;
}

UserShares::Limit UserShares::FindLimitOfDisk(const User& user,
                                              const Share& more, Space space,
                                              Count count) const {
  const uint64_t free = space.free - std::min(space.free, space.reserve);
  const uint64_t own = count(Of(user));
  const uint64_t of_group = count(OfGroup(user.group));
  const bool is_within_group =
      user.group == Group::kUsers || IsWithinGroup(of_group, count(more), free);
  const auto is_half = [&](uint64_t has) {
    return has + count(more) <= (free + has) / 2;
  };
  const bool is_within_half = is_half(own) && is_half(count(OfSite(user)));
  if ((is_within_group && is_within_half) ||
      IsSmall(user, more, space, count)) {
    return Limit::kNone;
  }
  if (!is_within_group) return Limit::kGroup;
  return free > 0 && own > 0 ? Limit::kHalf : Limit::kFull;
}

bool UserShares::IsSmall(const User& user, const Share& more, Space space,
                         Count count) const {
  const uint64_t free = std::min(space.free, space.reserve);
  const uint64_t own = count(Of(user));
  if (Of(user).bytes + more.bytes > kMostSmall ||
      own + count(more) > (free + own) / kPartOfSmall) {
    return false;
  }
  if (user.group == Group::kUsers) return true;
  // Only of users with small documents.
  uint64_t of_group = 0;
  uint64_t of_site = 0;
  const User site = SiteOfUser(user);
  for (const auto& [each, share] : users_) {
    if (each.group != user.group || share.bytes > kMostSmall) continue;
    of_group += count(share);
    if (SiteOfUser(each) == site) of_site += count(share);
  }
  return IsWithinGroup(of_group, count(more), free) &&
         of_site + count(more) <= (free + of_site) / 2;
}

void UserShares::Add(const User& user, Share more) {
  AddTo(users_[user], more);
  AddTo(groups_[user.group], more);
  AddTo(sites_[SiteOfUser(user)], more);
}

void UserShares::Subtract(const User& user, Share less) {
  const auto found = users_.find(user);
  if (found == users_.end()) return;
  const auto site = sites_.try_emplace(SiteOfUser(user)).first;
  for (Share* each : {&found->second, &site->second, &groups_[user.group]}) {
    each->jobs -= less.jobs;
    each->bytes -= less.bytes;
    each->held -= less.held;
  }
  const auto is_empty = [](const Share& share) {
    return share.jobs <= 0 && share.bytes == 0;
  };
  if (is_empty(found->second)) users_.erase(found);
  if (is_empty(site->second)) sites_.erase(site);
}

}  // namespace halftoned
