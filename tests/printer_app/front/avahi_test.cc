// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With a D-Bus of the test's own, over which any program sends what the test
// says.

#include "printer_app/front/announce/avahi.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>

#include "base/descriptor.h"

namespace halftoned {
namespace {

constexpr char kClient[] = ":1.7";
constexpr char kAvahiItself[] = ":1.5";
constexpr char kStranger[] = ":1.66";
constexpr char kGroupPath[] = "/Client0/EntryGroup1";
constexpr int kConflictState = 3;

// For one client.
class FakeBus {
 public:
  // What happens at a call of a method.
  using Moments = std::map<std::string, std::function<void(FakeBus&)>>;

  FakeBus(Moments before_answers, Moments after_answers)
      : before_(std::move(before_answers)), after_(std::move(after_answers)) {
    sockaddr_un name = {AF_UNIX, {}};
    auto* address = reinterpret_cast<sockaddr*>(&name);
    // The kernel chooses the name.
    socklen_t size = sizeof(name.sun_family);
    EXPECT_EQ(bind(listener_.get(), address, size), 0);
    size = sizeof(name);
    EXPECT_EQ(getsockname(listener_.get(), address, &size), 0);
    EXPECT_EQ(listen(listener_.get(), 1), 0);
    const std::string chosen(name.sun_path + 1,
                             size - offsetof(sockaddr_un, sun_path) - 1);
    setenv("DBUS_SYSTEM_BUS_ADDRESS", ("unix:abstract=" + chosen).c_str(), 1);
    thread_ = std::thread([this] { Serve(); });
  }
  // The client has ended its connection.
  ~FakeBus() {
    shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
    unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
  }
  FakeBus(const FakeBus&) = delete;
  FakeBus& operator=(const FakeBus&) = delete;

  bool client_takes_descriptors() const { return takes_descriptors_; }
  int answers_of_client() const { return answers_; }

  // At a moment.
  void SendConflict(const char* sender, const std::string& text = "") {
    sd_bus_message* signal = nullptr;
    sd_bus_message_new_signal(bus_, &signal, kGroupPath,
                              "org.freedesktop.Avahi.EntryGroup",
                              "StateChanged");
    sd_bus_message_append(signal, "is", kConflictState, text.c_str());
    Send(signal, sender);
  }
  void SendCall(const char* sender) {
    sd_bus_message* call = nullptr;
    sd_bus_message_new_method_call(bus_, &call, kClient, "/",
                                   "org.freedesktop.DBus.Peer", "Ping");
    Send(call, sender);
  }

 private:
  void Serve() {
    const int client = accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    sd_bus_new(&bus_);
    sd_bus_set_fd(bus_, client, client);
    sd_bus_set_server(bus_, 1, sd_id128_t{{1}});
    sd_bus_add_filter(bus_, nullptr, OnMessage, this);
    sd_bus_start(bus_);
    int done = 0;
    while ((done = sd_bus_process(bus_, nullptr)) >= 0) {
      if (done == 0) sd_bus_wait(bus_, UINT64_MAX);
    }
    sd_bus_close_unref(bus_);
  }
  static int OnMessage(sd_bus_message* message, void* data,
                       sd_bus_error* /*error*/) {
    static_cast<FakeBus*>(data)->Take(message);
    return 1;
  }
  void Take(sd_bus_message* call) {
    if (sd_bus_message_is_signal(call, nullptr, nullptr) > 0) return;
    if (sd_bus_message_is_method_call(call, nullptr, nullptr) <= 0) {
      ++answers_;
      return;
    }
    takes_descriptors_ = sd_bus_can_send(bus_, SD_BUS_TYPE_UNIX_FD) > 0;
    const std::string method = sd_bus_message_get_member(call);
    if (before_.contains(method)) before_[method](*this);
    sd_bus_message* answer = nullptr;
    sd_bus_message_new_method_return(call, &answer);
    if (method == "Hello") {
      sd_bus_message_append(answer, "s", kClient);
    } else if (method == "GetNameOwner") {
      sd_bus_message_append(answer, "s", kAvahiItself);
    } else if (method == "GetState") {
      sd_bus_message_append(answer, "i", 2);
    } else if (method == "EntryGroupNew") {
      sd_bus_message_append(answer, "o", kGroupPath);
    } else if (method.starts_with("GetHostName")) {
      sd_bus_message_append(answer, "s", "host.local");
    }
    Send(answer, nullptr);
    if (after_.contains(method)) after_[method](*this);
  }
  void Send(sd_bus_message* message, const char* sender) {
    if (sender) sd_bus_message_set_sender(message, sender);
    // A number lets the client answer a call.
    uint64_t number = 0;
    sd_bus_send(bus_, message, &number);
    sd_bus_message_unref(message);
    sd_bus_flush(bus_);
  }

  Moments before_;
  Moments after_;
  const Descriptor listener_{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sd_bus* bus_ = nullptr;
  std::atomic<bool> takes_descriptors_ = false;
  std::atomic<int> answers_ = 0;
  std::thread thread_;
};

size_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  size_t pages = 0;
  file >> pages >> pages;
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST(Avahi, KeepsNothingOfOthersWhileItWaitsForAnAnswer) {
  // A sanitizer keeps 256 MB of what is freed.
  constexpr int kFlood = 512;
  constexpr size_t kMostKept = size_t{384} << 20;
  const std::string text(1 << 20, 'x');
  const FakeBus bus({{"EntryGroupNew",
                      [&text](FakeBus& now) {
                        for (int i = 0; i < kFlood; ++i) {
                          now.SendConflict(kStranger, text);
                        }
                        now.SendConflict(kAvahiItself);
                      }}},
                    {});
  Avahi avahi;
  avahi.Connect();
  ASSERT_TRUE(avahi.is_running());
  const size_t before = ResidentBytes();
  EXPECT_EQ(avahi.NewGroup(), kGroupPath);
  EXPECT_LT(ResidentBytes(), before + kMostKept);
  // What Avahi has said meanwhile is not lost, and not waited for.
  const auto changes = avahi.Wait(-1, -1);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].kind, Avahi::Change::kConflict);
  EXPECT_EQ(changes[0].group, kGroupPath);
}

TEST(Avahi, ReturnsWhileOthersSendSignals) {
  std::binary_semaphore sent(0);
  const FakeBus bus({}, {{"GetHostNameFqdn", [&sent](FakeBus& now) {
                            now.SendConflict(kStranger);
                            now.SendConflict(kStranger);
                            now.SendConflict(kAvahiItself);
                            sent.release();
                          }}});
  Avahi avahi;
  avahi.Connect();
  EXPECT_EQ(avahi.HostName(), "host.local");
  sent.acquire();
  EXPECT_TRUE(avahi.Wait(-1, 0).empty());
  EXPECT_TRUE(avahi.Wait(-1, 0).empty());
  EXPECT_EQ(avahi.Wait(-1, 0).size(), 1U);
}

TEST(Avahi, NeitherAnswersOthersNorTakesTheirDescriptors) {
  const auto call = [](FakeBus& now) { now.SendCall(kStranger); };
  const FakeBus bus({{"GetState", call}, {"GetHostNameFqdn", call}}, {});
  Avahi avahi;
  avahi.Connect();
  EXPECT_EQ(avahi.HostName(), "host.local");
  // The bus has read what came before it.
  EXPECT_EQ(avahi.NewGroup(), kGroupPath);
  EXPECT_EQ(bus.answers_of_client(), 0);
  EXPECT_FALSE(bus.client_takes_descriptors());
}

}  // namespace
}  // namespace halftoned
