// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pool: whose turn it is, what order means, and what closing a queue does.

#include "halftone/run/pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <latch>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "halftone/cpu/strip_progress.h"

namespace halftoned {
namespace {

// Records work in its order.
class Log {
 public:
  void Add(char c) {
    std::lock_guard lock(mutex_);
    text_ += c;
  }
  std::string text() {
    std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

TEST(PoolTest, TasksOfAQueueBeginInTheOrderInWhichTheyWerePushed) {
  Log log;
  Pool pool(1);
  std::latch done(26);
  Pool::Queue queue(pool);
  for (char c = 'a'; c <= 'z'; ++c) {
    queue.Push([&, c] {
      log.Add(c);
      done.count_down();
    });
  }
  done.wait();
  EXPECT_EQ(log.text(), "abcdefghijklmnopqrstuvwxyz");
}

TEST(PoolTest, WithoutThreadsTasksRunWhereTheyArePushed) {
  Pool pool(Pool::kCallersThread);
  EXPECT_EQ(pool.threads(), 1);
  Pool::Queue queue(pool);
  std::optional<std::thread::id> thread;
  queue.Push([&] { thread = std::this_thread::get_id(); });
  EXPECT_EQ(thread, std::this_thread::get_id());
  const auto refused = [] { FAIL() << "there is no thread to run this"; };
  EXPECT_FALSE(queue.TryPush(refused));
  EXPECT_FALSE(queue.PushNext(refused));
}

// One thread, which begins once all tasks are in their queues.
class PoolTurnsTest : public ::testing::Test {
 protected:
  static constexpr int kTasks = 9;

  PoolTurnsTest() {
    gate_.Push([this] { all_pushed_.wait(); });
  }
  void Push(Pool::Queue& queue, char c) {
    queue.Push([this, c] {
      log_.Add(c);
      done_.count_down();
    });
  }
  std::string TextOfAll() {
    all_pushed_.count_down();
    done_.wait();
    return log_.text();
  }

  Log log_;
  std::latch all_pushed_{1};
  std::latch done_{kTasks};
  Pool pool_{1};
  Pool::Queue gate_{pool_};
};

TEST_F(PoolTurnsTest, AreOfQueuesHoweverManyTasksOneHas) {
  Pool::Queue large(pool_);
  Pool::Queue small(pool_);
  for (int i = 0; i < 7; ++i) Push(large, 'L');
  for (int i = 0; i < 2; ++i) Push(small, 's');
  EXPECT_EQ(TextOfAll(), "LsLsLLLLL");
}

TEST_F(PoolTurnsTest, AreOfJobsHoweverManyQueuesOneHas) {
  constexpr uint64_t kManyPages = 7;
  Pool::Queue pages[] = {Pool::Queue(pool_, kManyPages),
                         Pool::Queue(pool_, kManyPages),
                         Pool::Queue(pool_, kManyPages)};
  for (int i = 0; i < 3; ++i) Push(pages[i], static_cast<char>('0' + i));
  Push(pages[0], '0');
  Pool::Queue other(pool_, kManyPages + 1);
  for (int i = 0; i < 3; ++i) Push(other, 'o');
  Pool::Queue no_job[] = {Pool::Queue(pool_), Pool::Queue(pool_)};
  Push(no_job[0], 'x');
  Push(no_job[1], 'y');
  EXPECT_EQ(TextOfAll(), "0oxy1o2o0");
}

TEST_F(PoolTurnsTest, AreOfUsersHoweverManyJobsOneHas) {
  constexpr uint64_t kMany = uint64_t{7} << 32;
  constexpr uint64_t kFew = uint64_t{8} << 32;
  Pool::Queue many[] = {Pool::Queue(pool_, kMany | 1),
                        Pool::Queue(pool_, kMany | 2),
                        Pool::Queue(pool_, kMany), Pool::Queue(pool_, kMany)};
  for (int i = 0; i < 4; ++i) Push(many[i], static_cast<char>('0' + i));
  Push(many[0], '0');
  Pool::Queue few[] = {Pool::Queue(pool_, kFew | 1),
                       Pool::Queue(pool_, kFew | 2)};
  for (int i = 0; i < 2; ++i) Push(few[0], 'x');
  for (int i = 0; i < 2; ++i) Push(few[1], 'y');
  EXPECT_EQ(TextOfAll(), "0x1y2x3y0");
}

TEST(PoolTest, AnOrderDecidesWhichQueueComesNext) {
  class Youngest : public Pool::Order {
   public:
    size_t Next(size_t waiting) override { return waiting - 1; }
  };
  Log log;
  Pool pool(1, std::make_unique<Youngest>());
  std::latch all_pushed(1);
  std::latch done(3);
  Pool::Queue queues[] = {Pool::Queue(pool), Pool::Queue(pool),
                          Pool::Queue(pool)};
  Pool::Queue gate(pool);
  std::latch begun(1);
  gate.Push([&] {
    begun.count_down();
    all_pushed.wait();
  });
  begun.wait();
  for (int i = 0; i < 3; ++i) {
    queues[i].Push([&, i] {
      log.Add(static_cast<char>('0' + i));
      done.count_down();
    });
  }
  all_pushed.count_down();
  done.wait();
  EXPECT_EQ(log.text(), "210");
}

TEST(PoolTest, ClosingAQueueDropsWhatHasNotBegunAndWaitsForWhatHas) {
  Log log;
  Pool pool(1);
  std::latch begun(1);
  std::latch go_on(1);
  std::optional<Pool::Queue> queue(pool);
  queue->Push([&] {
    begun.count_down();
    go_on.wait();
    log.Add('a');
  });
  queue->Push([&] { log.Add('b'); });
  begun.wait();
  std::thread closer([&] {
    queue.reset();
    log.Add('c');
  });
  // Whether or not the closer already waits, 'a' must come before 'c'.
  go_on.count_down();
  closer.join();
  const std::string text = log.text();
  EXPECT_LT(text.find('a'), text.find('c')) << text;
}

TEST(PoolTest, ATaskMayWaitForTheOneBeforeItWithAnyNumberOfThreads) {
  constexpr int kTasks = 50;
  for (int threads = 1; threads <= 8; ++threads) {
    Pool pool(threads);
    StripProgress progress[kTasks];
    Pool::Queue queue(pool);
    for (int i = 0; i < kTasks; ++i) {
      queue.Push([&, i] {
        for (int32_t column = 1; column <= 100; ++column) {
          if (i > 0) {
            EXPECT_GE(progress[i - 1].WaitFor(column), column);
          }
          progress[i].Publish(column);
        }
        progress[i].Publish(StripProgress::kAll);
      });
    }
    EXPECT_GE(progress[kTasks - 1].WaitFor(100), 100);
  }
}

TEST(PoolTest, ATaskMayPushTheNextOneAndThenOtherQueuesHaveTheirTurn) {
  Log log;
  Pool pool(1);
  std::latch all_pushed(1);
  std::latch done(6);
  Pool::Queue large(pool);
  Pool::Queue small(pool);
  int left = 4;
  std::function<void()> next = [&] {
    all_pushed.wait();
    log.Add('L');
    if (--left > 0) {
      EXPECT_TRUE(large.PushNext(next));
    }
    done.count_down();
  };
  large.Push(next);
  for (int i = 0; i < 2; ++i) {
    small.Push([&] {
      log.Add('s');
      done.count_down();
    });
  }
  all_pushed.count_down();
  done.wait();
  EXPECT_EQ(log.text(), "LsLsLL");
}

TEST(PoolTest, AQueueThatIsClosingDropsWhatItsTaskPushes) {
  Log log;
  Pool pool(1);
  Pool::Queue other(pool);
  {
    Pool::Queue queue(pool);
    std::latch begun(1);
    std::latch both_pushed(1);
    queue.Push([&] {
      begun.count_down();
      both_pushed.wait();
      // When the queue has dropped the second task it is being closed.
      while (other.SpareThreads() < 0) std::this_thread::yield();
      EXPECT_TRUE(queue.PushNext([&] { log.Add('x'); }));
    });
    queue.Push([&] { log.Add('x'); });
    both_pushed.count_down();
    begun.wait();
  }
  std::latch done(1);
  other.Push([&] { done.count_down(); });
  done.wait();
  EXPECT_EQ(log.text(), "");
}

TEST(PoolTest, WithoutARunningThreadThereIsNobodyToPushTheNextTaskFor) {
  Pool pool(1);
  Pool::Queue queue(pool);
  EXPECT_FALSE(queue.PushNext([] { ADD_FAILURE() << "ran"; }));
}

TEST(PoolTest, ThreadsToSpareAreThoseThatOtherQueuesLeave) {
  Pool pool(4);
  std::latch go_on(1);
  std::latch begun(3);
  Pool::Queue own(pool);
  Pool::Queue other(pool);
  EXPECT_EQ(own.SpareThreads(), 4);
  for (Pool::Queue* queue : {&own, &other, &other}) {
    queue->Push([&] {
      begun.count_down();
      go_on.wait();
    });
  }
  EXPECT_EQ(own.SpareThreads(), 2);
  begun.wait();
  EXPECT_EQ(own.SpareThreads(), 2);
  EXPECT_EQ(other.SpareThreads(), 3);
  go_on.count_down();
}

TEST(PoolTest, NotifiesTheStripBelowOnce) {
  int told = 0;
  StripProgress progress(100, [&] { ++told; });
  progress.Publish(99);
  EXPECT_EQ(told, 0);
  progress.Publish(100);
  progress.Publish(101);
  progress.Publish(StripProgress::kAll);
  EXPECT_EQ(told, 1);
}

TEST(PoolTest, NoMoreThreadsWorkThanTheGateAdmits) {
  class OneAtATime : public Pool::Gate {
   public:
    bool TryEnter(int thread) override {
      if (inside_ >= 0) return false;
      inside_ = thread;
      return true;
    }
    void Leave(int thread) override {
      EXPECT_EQ(inside_, thread);
      inside_ = -1;
    }

   private:
    int inside_ = -1;
  };
  Pool pool(4, nullptr, std::make_unique<OneAtATime>());
  constexpr int kTasks = 60;
  std::atomic<int> working = 0;
  std::latch done(kTasks);
  Pool::Queue queues[] = {Pool::Queue(pool), Pool::Queue(pool)};
  for (int i = 0; i < kTasks; ++i) {
    queues[i % 2].Push([&] {
      EXPECT_EQ(++working, 1);
      --working;
      done.count_down();
    });
  }
  done.wait();
}

TEST(PoolTest, AClosedGateDoesNotDelayTheEnd) {
  class Closed : public Pool::Gate {
   public:
    bool TryEnter(int) override { return false; }
    void Leave(int) override {}
  };
  Pool pool(2, nullptr, std::make_unique<Closed>());
  Pool::Queue queue(pool);
  queue.Push([] { FAIL() << "a task ran"; });
}

}  // namespace
}  // namespace halftoned
