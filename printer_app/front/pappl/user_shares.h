// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The spool, divided by users: unfinished jobs and their documents, including
// documents that are arriving. A user, or a site (network.h), gets at most half
// of the disk space that others leave free. All users of other machines
// together get three quarters, as do all users that CUPS names, so neither one
// user nor two can fill the disk. A reserve is for small documents: each user
// gets up to an eighth of what is left of it, so small documents print until
// the disk is really full. The files that the disk can still hold are divided
// in the same way. All jobs of users of other machines have a limit, too, as
// have all jobs of users that CUPS names, since PAPPL keeps each in memory; a
// user gets at most half of what others of the group leave, as does a site, and
// a few jobs beyond that, so it takes hundreds of sites to leave nothing. Held
// jobs can stay for ever, so all that such a group holds are no more than the
// jobs of one user. Nor can a user create an unlimited number of jobs that end
// at once, since PAPPL keeps those of the last minute. PAPPL does not say when
// a job ends, so a job counts until somebody looks
// (IppRequest::ForgetEndedJobs).

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace halftoned {

class UserShares {
 public:
  static constexpr int kMostPerMinute = 1000;  // jobs of a user
  // Times the jobs of a user, and once more for the few jobs of each.
  static constexpr int kMostOfGroup = 4;
  static constexpr int kFewJobs = 4;

  struct Share {
    int jobs = 0;
    uint64_t bytes = 0;
    int held = 0;  // of the jobs
  };
  struct JobKey {
    std::string printer;
    int id = 0;
    auto operator<=>(const JobKey&) const = default;
  };

  // All who can claim any name share a limit, and so do all remote clients.
  enum class Group { kUsers, kOfCups, kRemote };
  struct User {
    std::string name;  // or network
    Group group = Group::kUsers;
    auto operator<=>(const User&) const = default;
  };

  // The limit that a request would exceed.
  enum class Limit {
    kNone,
    kJobs,
    kBytes,
    kMinute,
    kGroupJobs,
    kHeld,
    kHalf,
    kGroup,
    kFull
  };

  // Room that is left on the disk, and the part of it for small documents.
  struct Space {
    uint64_t free = UINT64_MAX / 4;
    uint64_t reserve = 0;
  };
  struct Room {
    Space bytes;
    Space jobs;  // by their files
  };

  // The room on the directory's disk, with a reserve for small files. If the
  // system does not say, there is no limit.
  static Room RoomOf(const std::string& folder);

  // most: of a user.
  UserShares(Share most, std::function<Room()> room)
      : most_(most), room_(std::move(room)) {}

  // The share of a request. It counts until the object ends, or belongs to a
  // job.
  class Coming {
   public:
    Coming(UserShares& shares, User user)
        : shares_(shares), user_(std::move(user)) {}
    ~Coming();
    Coming(const Coming&) = delete;
    Coming& operator=(const Coming&) = delete;

    // More jobs or more bytes. False: there is a limit.
    bool Take(Share more);
    void GiveTo(const JobKey& job);
    Limit limit() const { return limit_; }
    // The limit is about files that the disk can hold, not about its bytes.
    bool is_of_files() const { return is_of_files_; }
    const User& user() const { return user_; }

   private:
    UserShares& shares_;
    const User user_;
    Share taken_;
    Limit limit_ = Limit::kNone;
    bool is_of_files_ = false;
  };

  // A job of an earlier server, without regard to limits.
  void Add(const JobKey& job, const User& user, Share share);

  // True after so many new jobs that PAPPL may be keeping too many ended ones.
  bool IsTimeToTidy();

  // Notes whether the job is held. Without `force`, false if it would exceed
  // the limit.
  bool SetHeld(const JobKey& job, bool is_held, bool force);

  // Those that have not been forgotten, ended or not.
  std::vector<JobKey> Jobs() const;
  void Forget(const JobKey& job);
  // Whether there are so many that it is time to look for those that have
  // ended, or jobs of an earlier server, which may be held.
  bool IsTimeToLook() const;
  void HaveLooked();

 private:
  struct Job {
    User user;
    Share share;
  };

  using Clock = std::chrono::steady_clock;
  struct Minute {
    Clock::time_point begin;
    int jobs = 0;
  };

  // Counts jobs of the running minute. False: there are too many.
  bool MayCreate(const User& user, int jobs);
  Share Of(const User& user) const;
  Share OfGroup(Group group) const;
  Share OfSite(const User& user) const;
  // Whether the user's group may have so many more jobs of the user.
  bool IsWithinGroupJobs(const User& user, int jobs) const;
  bool MayHold(const User& user, int jobs) const;
  // The limit that forbids the user so much more.
  Limit FindLimit(const User& user, Share more);
  // count: the jobs of a share, or their bytes.
  using Count = uint64_t (*)(const Share&);
  Limit FindLimitOfDisk(const User& user, const Share& more, Space space,
                        Count count) const;
  // True if all documents of the user are small, and fit into the reserve.
  bool IsSmall(const User& user, const Share& more, Space space,
               Count count) const;
  void Add(const User& user, Share more);
  void Subtract(const User& user, Share less);

  const Share most_;
  const std::function<Room()> room_;
  mutable std::mutex mutex_;
  std::map<User, Share> users_;
  std::map<Group, Share> groups_;
  std::map<User, Share> sites_;  // by a user with the site's name
  std::map<User, Minute> minutes_;
  std::map<JobKey, Job> jobs_;
  int created_ = 0;  // since the last time to tidy
  size_t next_look_ = kFirstLook;

  static constexpr size_t kFirstLook = 4096;
  static constexpr size_t kMostMinutes = 4096;
  static constexpr int kMostOfTidy = 250;
};

}  // namespace halftoned
