// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/user_shares.h"

#include <gtest/gtest.h>

#include <climits>
#include <filesystem>
#include <fstream>
#include <list>
#include <string>

#include "base/temporary_folder.h"
#include "printer_app/front/callers/callers.h"
#include "printer_app/front/pappl/kept_shares.h"
#include "printer_app/handover/job_number.h"
#include "printer_app/handover/spooled_document.h"
#include "tests/printer_app/front/served_front.h"

namespace halftoned {
namespace {

constexpr uint64_t kDisk = 1 << 12;

using Group = UserShares::Group;
using Limit = UserShares::Limit;

class UserSharesTest : public ::testing::Test {
 protected:
  // Bytes that are kept of a document without an end.
  uint64_t Fill(const std::string& name, Group group = Group::kUsers) {
    UserShares::Coming& share =
        coming_.emplace_back(shares_, UserShares::User{name, group});
    const uint64_t before = free_;
    while (share.Take({0, 1})) --free_;
    return before - free_;
  }

  UserShares::Room Room() const {
    return {{free_ + reserve_ - used_, reserve_}, jobs_};
  }

  uint64_t free_ = kDisk;
  uint64_t reserve_ = 0;
  uint64_t used_ = 0;  // of the reserve
  UserShares::Space jobs_;
  UserShares shares_{{INT_MAX, UINT64_MAX}, [this] { return Room(); }};
  std::list<UserShares::Coming> coming_;
};

TEST_F(UserSharesTest, EachUserGetsHalfOfWhatOthersLeave) {
  EXPECT_EQ(Fill("one"), kDisk / 2);
  EXPECT_EQ(Fill("two"), kDisk / 4);
  EXPECT_EQ(Fill("one", Group::kRemote), kDisk / 8);
  EXPECT_EQ(Fill("one"), 0U);
  coming_.pop_front();
  free_ += kDisk / 2;
  EXPECT_EQ(Fill("one"), (kDisk / 2 + kDisk / 8) / 2);
}

TEST_F(UserSharesTest, OtherMachinesLeaveAQuarter) {
  uint64_t all = 0;
  for (int i = 0; i < 50; ++i) all += Fill(std::to_string(i), Group::kRemote);
  EXPECT_EQ(all, kDisk / 4 * 3);
  EXPECT_EQ(Fill("local"), kDisk / 8);
}

// Jobs take files even if they are small.
TEST_F(UserSharesTest, FilesOfTheDiskAreDividedAsItsBytesAre) {
  const auto jobs_of = [this](const std::string& name, Group group) {
    auto& share = coming_.emplace_back(shares_, UserShares::User{name, group});
    int jobs = 0;
    for (; share.Take({1, 0}); ++jobs) --jobs_.free;
    return jobs;
  };
  jobs_ = {160, 0};
  EXPECT_EQ(jobs_of("one", Group::kUsers), 80);
  EXPECT_EQ(coming_.back().limit(), Limit::kHalf);
  EXPECT_TRUE(coming_.back().is_of_files());
  EXPECT_EQ(jobs_of("two", Group::kUsers), 40);
  EXPECT_EQ(jobs_of("three", Group::kRemote), 20);
  EXPECT_EQ(jobs_of("four", Group::kRemote), 10);
  EXPECT_EQ(coming_.back().limit(), Limit::kGroup);

  // The reserve is for those who have little.
  jobs_ = {16, 16};
  EXPECT_EQ(jobs_of("one", Group::kUsers), 0);
  EXPECT_EQ(jobs_of("five", Group::kUsers), 2);
}

// They can have any number of addresses, and claim any names.
TEST_F(UserSharesTest, AllJobsOfOtherMachinesAndOfCupsAreLimited) {
  UserShares shares({100, UINT64_MAX}, [] { return UserShares::Room(); });
  std::list<UserShares::Coming> coming;
  const auto jobs_of = [&](int user, Group group) {
    auto& share = coming.emplace_back(
        shares, UserShares::User{std::to_string(user), group});
    int jobs = 0;
    while (share.Take({1, 0})) ++jobs;
    return jobs;
  };
  for (const Group group : {Group::kRemote, Group::kOfCups}) {
    int all = 0;
    for (int i = 0; i < 3; ++i) all += jobs_of(i, group);
    EXPECT_EQ(all, 300);
    EXPECT_EQ(coming.back().limit(), Limit::kJobs);
    all += jobs_of(3, group);
    EXPECT_EQ(all, 350);
    EXPECT_EQ(coming.back().limit(), Limit::kGroupJobs);
    // Halves, and then a few jobs each.
    for (int i = 4; i < 7; ++i) all += jobs_of(i, group);
    EXPECT_EQ(all, 393);
    for (int i = 7; i < 33; ++i) {
      EXPECT_EQ(jobs_of(i, group), UserShares::kFewJobs);
      all += UserShares::kFewJobs;
    }
    for (int i = 33; i < 50; ++i) all += jobs_of(i, group);
    EXPECT_EQ(all, 500);
  }
  for (int i = 0; i < 5; ++i) EXPECT_EQ(jobs_of(i, Group::kUsers), 100);
  coming.clear();
  EXPECT_EQ(jobs_of(50, Group::kRemote), 100);
}

TEST_F(UserSharesTest, BytesOfASiteLeaveRoomForOtherSites) {
  constexpr uint64_t kMega = 1 << 20;
  uint64_t taken = 0;
  UserShares shares({1000, UINT64_MAX}, [&] {
    UserShares::Room room;
    room.bytes = {1000 * kMega - taken, 64 * kMega};
    return room;
  });
  std::list<UserShares::Coming> coming;
  const auto take = [&](const std::string& network, uint64_t bytes) {
    auto& share =
        coming.emplace_back(shares, UserShares::User{network, Group::kRemote});
    uint64_t all = 0;
    for (; share.Take({0, bytes}); all += bytes) taken += bytes;
    return all;
  };
  for (const uint64_t bytes : {kMega, kMega / 4, kMega / 4}) {
    for (int i = 0; i < 100; ++i) {
      take("2001:db8:0:" + std::to_string(i) + "::/64", bytes);
    }
  }
  EXPECT_LE(taken, (500 + 64 / 2) * kMega);
  EXPECT_GE(take("192.0.2.1", kMega), 100 * kMega);
  EXPECT_GE(take("2001:db8:1:1::/64", kMega / 4), 2 * kMega);
}

// One machine can have all addresses of its site.
TEST_F(UserSharesTest, JobsOfASiteLeaveRoomForOtherSites) {
  UserShares shares({100, UINT64_MAX}, [] { return UserShares::Room(); });
  std::list<UserShares::Coming> coming;
  const auto jobs_of = [&](const std::string& network) {
    auto& share =
        coming.emplace_back(shares, UserShares::User{network, Group::kRemote});
    int jobs = 0;
    while (share.Take({1, 0})) ++jobs;
    return jobs;
  };
  int all = 0;
  for (int i = 0; i < 300; ++i) {
    all += jobs_of("2001:db8:0:" + std::to_string(i) + "::/64");
  }
  EXPECT_EQ(all, 200 + 50);
  EXPECT_EQ(jobs_of("192.0.2.1"), 75);
  EXPECT_EQ(jobs_of("2001:db8:1:1::/64"), 37);
}

TEST_F(UserSharesTest, HeldJobsOfOtherMachinesAndOfCupsLeaveRoomForOthers) {
  UserShares shares({100, UINT64_MAX}, [] { return UserShares::Room(); });
  for (const Group group : {Group::kRemote, Group::kOfCups}) {
    const std::string printer = std::to_string(int(group));
    const auto create = [&](int user, int id, bool is_held) {
      UserShares::Coming share(shares, {std::to_string(user), group});
      const bool may = share.Take({1, 0, is_held ? 1 : 0});
      if (may) share.GiveTo({printer, id});
      return may ? Limit::kNone : share.limit();
    };
    for (int id = 0; id < 99; ++id) {
      ASSERT_EQ(create(id % 10, id, true), Limit::kNone);
    }
    EXPECT_EQ(create(11, 99, false), Limit::kNone);
    EXPECT_TRUE(shares.SetHeld({printer, 99}, true, false));
    EXPECT_TRUE(shares.SetHeld({printer, 99}, true, false));
    EXPECT_EQ(create(12, 100, true), Limit::kHeld);
    EXPECT_EQ(create(12, 100, false), Limit::kNone);
    EXPECT_FALSE(shares.SetHeld({printer, 100}, true, false));
    EXPECT_TRUE(shares.SetHeld({printer, 0}, false, false));
    EXPECT_TRUE(shares.SetHeld({printer, 100}, true, false));
    EXPECT_EQ(create(12, 101, true), Limit::kHeld);
    shares.Forget({printer, 1});
    EXPECT_EQ(create(12, 101, true), Limit::kNone);
    EXPECT_TRUE(shares.SetHeld({printer, 0}, true, true));
  }
  for (int id = 0; id < 100; ++id) {
    EXPECT_TRUE(UserShares::Coming(shares, {"one"}).Take({1, 0, 1}));
  }
}

// Others can claim as many names as they like.
TEST_F(UserSharesTest, AJobCountsForTheUserWhoSendsItsDocument) {
  UserShares shares({2, UINT64_MAX}, [] { return UserShares::Room(); });
  const auto send = [&](const char* user, int id, UserShares::Share more) {
    UserShares::Coming share(shares, {user, Group::kRemote});
    const bool may = share.Take(more);
    if (may) share.GiveTo({"laser", id});
    return may ? Limit::kNone : share.limit();
  };
  for (int id = 1; id <= 2; ++id) {
    EXPECT_EQ(send("one", id, {1, 0, 1}), Limit::kNone);
    EXPECT_EQ(send("two", id, {0, 10, 0}), Limit::kNone);
  }
  EXPECT_EQ(send("two", 3, {1, 0, 0}), Limit::kJobs);
  EXPECT_EQ(send("one", 3, {1, 0, 1}), Limit::kHeld);
  EXPECT_EQ(send("one", 3, {1, 0, 0}), Limit::kNone);
  // Another printer of the name begins to count at 1.
  EXPECT_EQ(send("one", 1, {1, 0, 0}), Limit::kNone);
  EXPECT_EQ(send("two", 4, {1, 0, 0}), Limit::kNone);
}

TEST_F(UserSharesTest, UsersWhomCupsNamesLeaveAQuarter) {
  uint64_t all = 0;
  for (int i = 0; i < 50; ++i) all += Fill(std::to_string(i), Group::kOfCups);
  EXPECT_EQ(all, kDisk / 4 * 3);
  EXPECT_EQ(coming_.back().limit(), Limit::kGroup);
  EXPECT_GT(Fill("remote", Group::kRemote), 0U);
  EXPECT_GT(Fill("local"), 0U);
  EXPECT_EQ(coming_.back().limit(), Limit::kHalf);
}

// As where a user has filled the disk with files of their own.
TEST_F(UserSharesTest, SmallDocumentsPrintFromWhatIsLeftOfTheReserve) {
  free_ = 0;
  reserve_ = kDisk;
  used_ = kDisk / 4 * 3;
  // So much of the reserve as is free then.
  const auto fill = [&](const std::string& name, Group group) {
    UserShares::Coming& share =
        coming_.emplace_back(shares_, UserShares::User{name, group});
    uint64_t taken = 0;
    while (share.Take({0, 1})) ++taken, ++used_;
    return taken;
  };
  for (const Group group : {Group::kUsers, Group::kRemote, Group::kOfCups}) {
    const uint64_t left = kDisk - used_;
    EXPECT_EQ(fill("one", group), left / 8);
    EXPECT_EQ(fill("one", group), 0U);
  }
  // Others can claim as many names as they like.
  const uint64_t left = kDisk - used_;
  for (int i = 0; i < 200; ++i) fill(std::to_string(i), Group::kRemote);
  EXPECT_EQ(coming_.back().limit(), Limit::kGroup);
  EXPECT_GE(kDisk - used_, left / 4);
  EXPECT_GT(fill("two", Group::kUsers), left / 40);
  EXPECT_GT(fill("two", Group::kOfCups), left / 40);
}

TEST_F(UserSharesTest, LargeDocumentsLeaveTheReserve) {
  constexpr uint64_t kMiB = 1 << 20;
  free_ = 0;
  reserve_ = 256 * kMiB;
  UserShares::Coming small(shares_, {"small"}), large(shares_, {"large"});
  EXPECT_TRUE(small.Take({0, 4 * kMiB}));
  EXPECT_FALSE(small.Take({0, 1}));
  EXPECT_FALSE(large.Take({0, 4 * kMiB + 1}));
  EXPECT_EQ(large.limit(), Limit::kFull);
  EXPECT_FALSE(large.is_of_files());
}

TEST_F(UserSharesTest, AFullDiskTakesJobsWithoutDocuments) {
  free_ = 0;
  UserShares::Coming share(shares_, {"one"});
  EXPECT_TRUE(share.Take({1, 0}));
  EXPECT_FALSE(share.Take({0, 1}));
}

TEST_F(UserSharesTest, AMinuteHasAThousandJobsOfAUser) {
  for (int i = 0; i < UserShares::kMostPerMinute; ++i) {
    UserShares::Coming ended(shares_, {"one"});
    ASSERT_TRUE(ended.Take({1, 0}));
  }
  EXPECT_FALSE(UserShares::Coming(shares_, {"one"}).Take({1, 0}));
  EXPECT_TRUE(
      UserShares::Coming(shares_, {"one", Group::kRemote}).Take({1, 0}));
  EXPECT_TRUE(shares_.IsTimeToTidy());
  EXPECT_FALSE(shares_.IsTimeToTidy());
}

TEST_F(UserSharesTest, JobsOfAnEarlierServerCount) {
  const auto folder =
      TemporaryFolder::Make(std::filesystem::temp_directory_path(), "spool-");
  ASSERT_TRUE(folder.ok());
  const auto put = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder->path() + '/' + name) << text;
  };
  const UserShares::User users[] = {{"one user"},
                                    {"one user", Group::kOfCups},
                                    {"2001:db8::/64", Group::kRemote}};
  for (int i = 0; i < 3; ++i) {
    const std::string number = NewDocumentNumber();
    const std::string name = SpoolName({1, i + 1});
    put(DocumentName(number), std::string(kDisk / 4, 'x'));
    put(name + "-a.pdf", ReferenceTo(number, OwnerLine("office", users[i])));
    put(name + "-a.ipp", "attributes");
  }
  put(SpoolName({1, 4}) + "-a.pdf", ReferenceTo(NewDocumentNumber(), "office"));
  put(SpoolName({1, 5}) + "-a.pdf", "%PDF");
  UserShares shares({1, UINT64_MAX}, [] {
    return UserShares::Room{{kDisk, 0}, {}};
  });
  AddKeptJobs(folder->path(), shares);
  EXPECT_EQ(shares.Jobs().size(), 3U);
  // Some may be held.
  EXPECT_TRUE(shares.IsTimeToLook());
  shares.HaveLooked();
  EXPECT_FALSE(shares.IsTimeToLook());
  for (int i = 0; i < 3; ++i) {
    UserShares::Coming job(shares, users[i]), bytes(shares, users[i]);
    EXPECT_FALSE(job.Take({1, 0}));
    EXPECT_EQ(job.limit(), Limit::kJobs);
    // Half of the disk, but for what the user has.
    EXPECT_FALSE(bytes.Take({0, kDisk / 8 * 3 + 1}));
    EXPECT_TRUE(bytes.Take({0, kDisk / 8 * 3}));
    shares.Forget({"office", i + 1});
    EXPECT_TRUE(job.Take({1, 0}));
  }
  EXPECT_TRUE(shares.Jobs().empty());
}

// A program can have any of its user's subordinate numbers.
TEST(UserNumbers, ThoseWithoutNamesShareOneLimit) {
  ServedFront served(
      [](ipp_t* request, const std::string&) {
        return AnswerWithJob(request, 1);
      },
      {.user_jobs = 1});
  const auto create = [&](uid_t user) {
    const Caller caller = CallerOf({true, user}, OriginOf(user));
    EXPECT_TRUE(caller.is_nameless);
    EXPECT_EQ(caller.name, "uid " + std::to_string(user));
    const Ipp answer = served.Ask(caller, RequestFor(IPP_OP_CREATE_JOB));
    return ippGetStatusCode(answer.get());
  };
  EXPECT_EQ(create(3'000'000'001), IPP_STATUS_OK);
  EXPECT_EQ(create(3'000'000'002), IPP_STATUS_ERROR_ACCOUNT_LIMIT_REACHED);
  EXPECT_FALSE(CallerOf({true, 0}, OriginOf(0)).is_nameless);
  EXPECT_EQ(OriginOf(1000).levels[0], OriginOf(1000).place());
  EXPECT_EQ(OriginOf(131072).levels[0], OriginOf(196607).levels[0]);
  EXPECT_NE(OriginOf(131072).levels[0], OriginOf(196608).levels[0]);
  EXPECT_NE(OriginOf(131072).network(), OriginOf(131073).network());
}

}  // namespace
}  // namespace halftoned
