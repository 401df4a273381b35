// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests at the same time, through a complete front end, with a PAPPL that
// the test defines.

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <list>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "printer_app/handover/job_lock.h"
#include "tests/printer_app/front/served_front.h"

namespace halftoned {
namespace {

TEST(IppRequestsAtOnceTest, ANetworkLeavesWorkToOthers) {
  ServedFront served([](ipp_t* request, const std::string&) {
    return Ipp(ippNewResponse(request));
  });
  WorkSlots& slots = served.front().work_slots;
  std::list<WorkSlots::Slot> taken;
  for (int i = 0; i < Front::kMostWorkOfNetwork; ++i) {
    EXPECT_TRUE(taken.emplace_back(slots).Take(Somebody().network));
  }
  Caller other = Somebody();
  other.network = "uid 4712";
  for (const auto& [operation, document] :
       {std::pair(IPP_OP_GET_JOBS, ""), std::pair(IPP_OP_PRINT_JOB, "x")}) {
    const auto ask = [&](const Caller& caller) {
      EXPECT_NE(
          served.Ask(caller, RequestFor(operation, 0, "text/plain"), document),
          nullptr);
    };
    std::atomic<bool> is_answered = false;
    std::thread client([&] {
      ask(Somebody());
      is_answered = true;
    });
    while (slots.waiting() == 0) std::this_thread::yield();
    EXPECT_EQ(served.pappl().Count(IPP_OP_GET_PRINTER_ATTRIBUTES), 0);
    ask(other);
    EXPECT_FALSE(is_answered);
    taken.pop_back();
    client.join();
    EXPECT_TRUE(taken.emplace_back(slots).Take(Somebody().network));
  }
}

TEST(IppRequestsAtOnceTest, SitesTakeTurns) {
  WorkSlots slots(1, 1);
  std::optional<WorkSlots::Slot> taken(slots);
  EXPECT_TRUE(taken->Take(Somebody().network));
  std::mutex mutex;
  std::string order;
  std::list<std::thread> clients;
  for (const auto& [name, network] :
       {std::pair('1', "2001:db8:0:1::/64"),
        std::pair('2', "2001:db8:0:1::/64"),
        std::pair('3', "2001:db8:0:1::/64"),
        std::pair('4', "2001:db8:0:2::/64"), std::pair('5', "192.0.2.1"),
        std::pair('6', "192.0.2.1")}) {
    const size_t before = slots.waiting();
    clients.emplace_back(
        [&slots, &mutex, &order, network = network, name = name] {
          WorkSlots::Slot slot(slots);
          EXPECT_TRUE(slot.Take(network));
          const std::lock_guard lock(mutex);
          order += name;
        });
    while (slots.waiting() == before) std::this_thread::yield();
  }
  taken.reset();
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(order, "154623");
}

TEST(IppRequestsAtOnceTest, ASearchForDevicesDelaysNobody) {
  constexpr auto kFindDevices = static_cast<ipp_op_t>(0x402b);
  std::atomic<bool> is_over = false;
  ServedFront served([&](ipp_t* request, const std::string&) {
    if (ippGetOperation(request) == kFindDevices) is_over.wait(false);
    return Ipp(ippNewResponse(request));
  });
  const auto ask = [&](ipp_op_t operation) {
    const Ipp request = RequestFor(operation);
    EXPECT_TRUE(served.front().behind.AskIpp(request.get(), {}).ok());
  };
  std::thread client([&] { ask(kFindDevices); });
  while (served.pappl().Count(kFindDevices) == 0) std::this_thread::yield();
  ask(IPP_OP_GET_PRINTER_ATTRIBUTES);
  is_over = true;
  is_over.notify_all();
  client.join();
}

// True if the thread waits.
bool Sleeps(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string number, name, state;
  file >> number >> name >> state;
  return state == "S";
}

TEST(IppRequestsAtOnceTest, JobsBeginWhileRequestsWaitForOneAnother) {
  std::atomic<bool> is_over = false;
  ServedFront served([&](ipp_t* request, const std::string&) {
    is_over.wait(false);
    return Ipp(ippNewResponse(request));
  });
  std::atomic<pid_t> changes = 0;
  const auto ask = [&](ipp_op_t operation) {
    const Ipp request = RequestFor(operation, 1);
    EXPECT_TRUE(served.front().behind.AskIpp(request.get(), {}).ok());
  };
  std::thread reader([&] { ask(IPP_OP_GET_PRINTER_ATTRIBUTES); });
  while (served.pappl().Count(IPP_OP_GET_PRINTER_ATTRIBUTES) == 0) {
    std::this_thread::yield();
  }
  std::thread changer([&] {
    changes = gettid();
    ask(IPP_OP_CANCEL_JOB);
  });
  while (changes == 0 || !Sleeps(changes)) std::this_thread::yield();
  EXPECT_TRUE(TryLockJobs(served.front().settings.TurnFile()).open());
  is_over = true;
  is_over.notify_all();
  reader.join();
  changer.join();
}

TEST(IppRequestsAtOnceTest, NetworksTakeTurnsAtPappl) {
  std::atomic<bool> is_over = false;
  std::vector<int> asked;  // jobs
  ServedFront served([&](ipp_t* request, const std::string&) {
    asked.push_back(
        ippGetInteger(ippFindAttribute(request, "job-id", IPP_TAG_INTEGER), 0));
    is_over.wait(false);
    return Ipp(ippNewResponse(request));
  });
  std::list<std::thread> clients;
  const auto ask = [&](const std::string& network, int job) {
    std::atomic<pid_t> thread = 0;
    clients.emplace_back([&, network, job] {
      const Ipp request = RequestFor(IPP_OP_GET_JOB_ATTRIBUTES, job);
      thread = gettid();
      thread.notify_one();
      EXPECT_TRUE(served.front().behind.AskIpp(request.get(), {network}).ok());
    });
    thread.wait(0);
    while (!Sleeps(thread)) std::this_thread::yield();
  };
  for (int job = 1; job <= 4; ++job) ask("192.0.2.1", job);
  ask("192.0.2.2", 5);
  is_over = true;
  is_over.notify_all();
  for (std::thread& client : clients) client.join();
  ASSERT_EQ(asked.size(), 5U);
  EXPECT_EQ(asked[2], 5);
}

TEST(IppRequestsAtOnceTest, OnlyPrintersThatExistAreAskedForAgain) {
  int asked = 0;
  ServedFront served([&](ipp_t* request, const std::string&) {
    ++asked;
    Ipp answer(ippNewResponse(request));
    ippSetStatusCode(answer.get(), IPP_STATUS_ERROR_NOT_FOUND);
    ippAddString(answer.get(), IPP_TAG_OPERATION, IPP_TAG_TEXT,
                 "status-message", nullptr, "Printer not found.");
    return answer;
  });
  const Ipp request = RequestFor(IPP_OP_GET_PRINTER_ATTRIBUTES);
  const auto count = [&](const std::string& printer) {
    asked = 0;
    EXPECT_TRUE(
        served.front().behind.AskIpp(request.get(), {.printer = printer}).ok());
    return asked;
  };
  EXPECT_EQ(count("none"), 1);
  EXPECT_GT(count("Office"), 1);
}

TEST(IppRequestsAtOnceTest, NoRequestWaitsForEvents) {
  std::atomic<int> asked = 0;
  ServedFront served([&](ipp_t* request, const std::string&) {
    if (ippGetOperation(request) == IPP_OP_GET_NOTIFICATIONS) {
      ++asked;
      EXPECT_EQ(ippFindAttribute(request, "notify-wait", IPP_TAG_ZERO),
                nullptr);
    }
    return Ipp(ippNewResponse(request));
  });
  Caller admin = Somebody();
  admin.is_admin = true;
  Ipp request = RequestFor(IPP_OP_GET_NOTIFICATIONS);
  ippAddInteger(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER,
                "notify-subscription-ids", 1);
  for (int i = 0; i < 2; ++i) {
    ippAddBoolean(request.get(), IPP_TAG_OPERATION, "notify-wait", 1);
  }
  EXPECT_NE(served.Ask(admin, std::move(request)), nullptr);
  EXPECT_EQ(asked, 1);
}

TEST(IppRequestsAtOnceTest, NoRequestWaitsForACompressedDocument) {
  std::atomic<int> asked = 0;
  ServedFront served([&](ipp_t* request, const std::string&) {
    ++asked;
    EXPECT_EQ(ippFindAttribute(request, "compression", IPP_TAG_ZERO), nullptr);
    return Ipp(ippNewResponse(request));
  });
  for (const ipp_op_t operation : {IPP_OP_VALIDATE_JOB, IPP_OP_CREATE_JOB,
                                   IPP_OP_GET_PRINTER_ATTRIBUTES}) {
    const int before = asked;
    Ipp request = RequestFor(operation);
    ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                 "compression", nullptr, "gzip");
    const Ipp answer = served.Ask(Somebody(), std::move(request));
    EXPECT_EQ(ippGetStatusCode(answer.get()), IPP_STATUS_OK);
    EXPECT_GT(asked, before) << operation;
  }
}

TEST(IppRequestsAtOnceTest, JobsThatPrintAreValid) {
  const char* wrong = "media";
  ServedFront served([&](ipp_t* request, const std::string&) {
    Ipp answer(ippNewResponse(request));
    if (ippGetOperation(request) == IPP_OP_VALIDATE_JOB) {
      ippSetStatusCode(answer.get(), IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES);
      ippAddString(answer.get(), IPP_TAG_UNSUPPORTED_GROUP, IPP_TAG_KEYWORD,
                   wrong, nullptr, "a");
    }
    return answer;
  });
  const auto ask = [&](bool is_exact) {
    Ipp request = RequestFor(IPP_OP_VALIDATE_JOB);
    ippAddBoolean(request.get(), IPP_TAG_OPERATION, "ipp-attribute-fidelity",
                  is_exact ? 1 : 0);
    return ippGetStatusCode(served.Ask(Somebody(), std::move(request)).get());
  };
  EXPECT_EQ(ask(false), IPP_STATUS_OK_IGNORED_OR_SUBSTITUTED);
  EXPECT_EQ(ask(true), IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES);
  // PAPPL prints no such job.
  wrong = "copies";
  EXPECT_EQ(ask(false), IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES);
}

TEST(IppRequestsAtOnceTest, CancelEachJobOnce) {
  constexpr int kJobs = 50;
  constexpr int kRequests = 4;
  std::mutex mutex;
  std::set<int> jobs;
  for (int job = 1; job <= kJobs; ++job) jobs.insert(job);
  ServedFront served([&](ipp_t* request, const std::string&) {
    Ipp answer(ippNewResponse(request));
    const std::lock_guard lock(mutex);
    if (ippGetOperation(request) == IPP_OP_CANCEL_JOB) {
      jobs.erase(ippGetInteger(
          ippFindAttribute(request, "job-id", IPP_TAG_INTEGER), 0));
      return answer;
    }
    for (const int job : jobs) {
      ippAddInteger(answer.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "job-id", job);
      ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_NAME,
                   "job-originating-user-name", nullptr, "bob");
      ippAddSeparator(answer.get());
    }
    return answer;
  });
  std::vector<std::thread> clients;
  for (int i = 0; i < kRequests; ++i) {
    clients.emplace_back([&] {
      const Ipp answer =
          served.Ask(Somebody(), RequestFor(IPP_OP_CANCEL_MY_JOBS));
      EXPECT_EQ(ippGetStatusCode(answer.get()), IPP_STATUS_OK);
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(jobs.size(), 0U);
  EXPECT_EQ(served.pappl().Count(IPP_OP_CANCEL_JOB), kJobs);
}

}  // namespace
}  // namespace halftoned
