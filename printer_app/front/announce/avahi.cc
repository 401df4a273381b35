// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/announce/avahi.h"

#include <poll.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

namespace halftoned {
namespace {

constexpr char kAvahi[] = "org.freedesktop.Avahi";
constexpr char kAvahiServer[] = "org.freedesktop.Avahi.Server";
constexpr char kAvahiGroup[] = "org.freedesktop.Avahi.EntryGroup";
constexpr char kNameTaken[] = "org.freedesktop.Avahi.CollisionError";
constexpr char kBus[] = "org.freedesktop.DBus";
constexpr char kPathOfBus[] = "/org/freedesktop/DBus";
constexpr char kBusAddress[] = "unix:path=/run/dbus/system_bus_socket";
constexpr int kGroupConflict = 3;  // a state of a group
// That are not heeded yet. Avahi keeps 1,024 groups of a program at most.
constexpr size_t kMostChanges = 2000;
// All interfaces and protocols, no flags.
constexpr int32_t kAnyNetwork = -1;
constexpr uint32_t kNoFlags = 0;

}  // namespace

void Avahi::Connect() {
  owner_.clear();
  changes_.clear();
  sd_bus* bus = nullptr;
  bus_.reset(sd_bus_new(&bus) < 0 ? nullptr : bus);
  if (!bus_) return;
  const char* address = std::getenv("DBUS_SYSTEM_BUS_ADDRESS");
  const std::string signals = "type='signal',sender='";
  // Closing a descriptor that another user has sent could block.
  if (sd_bus_set_address(bus, address ? address : kBusAddress) < 0 ||
      sd_bus_set_bus_client(bus, 1) < 0 || sd_bus_negotiate_fds(bus, 0) < 0 ||
      sd_bus_start(bus) < 0 ||
      sd_bus_add_filter(bus, nullptr, OnMessage, this) < 0 ||
      !Matches(signals + kBus + "',member='NameOwnerChanged',arg0='" + kAvahi +
               "'") ||
      !Matches(signals + kAvahi + "',interface='" + kAvahiServer + "'")) {
    bus_.reset();
    return;
  }
  // D-Bus may start it.
  Ask(kAvahi, "/", kAvahiServer, "GetHostName");
  Find();
}

bool Avahi::Matches(const std::string& rule) {
  const Message call = NewCall(kBus, kPathOfBus, kBus, "AddMatch");
  return call && sd_bus_message_append(call.get(), "s", rule.c_str()) >= 0 &&
         Send(call).ok();
}

void Avahi::Find() {
  owner_ = Ask(kBus, kPathOfBus, kBus, "GetNameOwner", kAvahi);
  state_ = 0;
  const auto answer = Send(NewCall(owner_, "/", kAvahiServer, "GetState"));
  if (answer.ok()) sd_bus_message_read(answer->get(), "i", &state_);
}

// Handles at most one message: others can send messages without an end.
std::vector<Avahi::Change> Avahi::Wait(int wakeup, int milliseconds) {
  const int done = bus_ ? sd_bus_process(bus_.get(), nullptr) : 0;
  if (done < 0) {
    bus_.reset();
    owner_.clear();
    changes_.push_back({Change::kGone, ""});
  } else if (done == 0 && changes_.empty()) {
    pollfd waits[] = {{wakeup, POLLIN, 0},
                      {bus_ ? sd_bus_get_fd(bus_.get()) : -1, POLLIN, 0}};
    poll(waits, 2, milliseconds);
  }
  auto changes = std::exchange(changes_, {});
  const bool is_gone = std::ranges::any_of(changes, [](const Change& change) {
    return change.kind == Change::kGone;
  });
  if (is_gone && bus_) Find();
  return changes;
}

std::string Avahi::HostName() {
  return Ask(owner_, "/", kAvahiServer, "GetHostNameFqdn");
}

std::string Avahi::NewGroup() {
  const auto answer = Send(NewCall(owner_, "/", kAvahiServer, "EntryGroupNew"));
  const char* path = nullptr;
  return answer.ok() && sd_bus_message_read(answer->get(), "o", &path) > 0
             ? path
             : "";
}

Result<bool> Avahi::AddService(const std::string& group,
                               const std::string& name, const std::string& type,
                               int port,
                               const std::vector<std::string>& texts) {
  if (group.empty()) return IoError("Avahi does not answer");
  const Message call =
      NewCall(owner_, group.c_str(), kAvahiGroup, "AddService");
  bool is_whole =
      call &&
      sd_bus_message_append(call.get(), "iiussssq", kAnyNetwork, kAnyNetwork,
                            kNoFlags, name.c_str(), type.c_str(), "", "",
                            static_cast<uint16_t>(port)) >= 0 &&
      sd_bus_message_open_container(call.get(), 'a', "ay") >= 0;
  for (const std::string& text : texts) {
    is_whole = is_whole && sd_bus_message_append_array(
                               call.get(), 'y', text.data(), text.size()) >= 0;
  }
  is_whole = is_whole && sd_bus_message_close_container(call.get()) >= 0;
  if (!is_whole) return BadInput("its name cannot be announced");
  return SendToAdd(call);
}

Result<bool> Avahi::AddSubtype(const std::string& group,
                               const std::string& name, const std::string& type,
                               const std::string& subtype) {
  const Message call =
      NewCall(owner_, group.c_str(), kAvahiGroup, "AddServiceSubtype");
  if (!call || sd_bus_message_append(call.get(), "iiussss", kAnyNetwork,
                                     kAnyNetwork, kNoFlags, name.c_str(),
                                     type.c_str(), "", subtype.c_str()) < 0) {
    return BadInput("its name cannot be announced");
  }
  return SendToAdd(call);
}

Result<bool> Avahi::Commit(const std::string& group) {
  return SendToAdd(NewCall(owner_, group.c_str(), kAvahiGroup, "Commit"));
}

void Avahi::Reset(const std::string& group) { CallGroup(group, "Reset"); }

void Avahi::Free(const std::string& group) { CallGroup(group, "Free"); }

void Avahi::CallGroup(const std::string& group, const char* method) {
  (void)Send(NewCall(owner_, group.c_str(), kAvahiGroup, method)).ok();
}

Avahi::Message Avahi::NewCall(const std::string& to, const char* path,
                              const char* interface, const char* method) {
  sd_bus_message* call = nullptr;
  if (bus_ && !to.empty()) {
    sd_bus_message_new_method_call(bus_.get(), &call, to.c_str(), path,
                                   interface, method);
  }
  return Message(call);
}

// sd_bus_call() would keep all that others send until the answer comes.
Result<Avahi::Message> Avahi::Send(const Message& call) {
  if (!bus_ || !call) return IoError("there is no connection to Avahi");
  Message answer;
  sd_bus_slot* slot = nullptr;
  int status =
      sd_bus_call_async(bus_.get(), &slot, call.get(), OnAnswer, &answer, 0);
  const std::unique_ptr<sd_bus_slot, decltype(&sd_bus_slot_unref)> owned(
      slot, sd_bus_slot_unref);
  // sd-bus answers with an error after its time limit.
  while (status >= 0 && !answer) {
    status = sd_bus_process(bus_.get(), nullptr);
    if (status == 0) status = sd_bus_wait(bus_.get(), UINT64_MAX);
  }
  if (!answer) return IoError(strerror(-status));
  const sd_bus_error* error = sd_bus_message_get_error(answer.get());
  if (!error) return answer;
  const std::string why = error->message ? error->message : error->name;
  return sd_bus_error_has_name(error, kNameTaken) > 0 ? BadInput(why)
                                                      : IoError(why);
}

Result<bool> Avahi::SendToAdd(const Message& call) {
  const auto answer = Send(call);
  if (answer.ok()) return true;
  if (answer.error().code == ErrorCode::kBadInput) return false;
  return answer.error();
}

std::string Avahi::Ask(const std::string& to, const char* path,
                       const char* interface, const char* method,
                       const char* about) {
  const Message call = NewCall(to, path, interface, method);
  if (call && about) sd_bus_message_append(call.get(), "s", about);
  const auto answer = Send(call);
  const char* text = nullptr;
  return answer.ok() && sd_bus_message_read(answer->get(), "s", &text) > 0
             ? text
             : "";
}

int Avahi::OnAnswer(sd_bus_message* message, void* data,
                    sd_bus_error* /*error*/) {
  static_cast<Message*>(data)->reset(sd_bus_message_ref(message));
  return 1;
}

// 1: sd-bus would answer others' calls, and keep answers that they do not read.
int Avahi::OnMessage(sd_bus_message* message, void* data,
                     sd_bus_error* /*error*/) {
  static_cast<Avahi*>(data)->TakeSignal(message);
  return 1;
}

// D-Bus itself says who the sender is.
void Avahi::TakeSignal(sd_bus_message* message) {
  const char* sender = sd_bus_message_get_sender(message);
  if (!sender || changes_.size() >= kMostChanges) return;
  const auto is = [&](const char* interface, const char* name) {
    return sd_bus_message_is_signal(message, interface, name) > 0;
  };
  const char* name = nullptr;
  int state = 0;
  if (std::string_view(sender) == kBus) {
    if (is(kBus, "NameOwnerChanged") &&
        sd_bus_message_read(message, "s", &name) > 0 &&
        std::string_view(name) == kAvahi) {
      changes_.push_back({Change::kGone, ""});
    }
  } else if (owner_ != sender) {
    return;
  } else if (is(kAvahiServer, "StateChanged")) {
    if (sd_bus_message_read(message, "i", &state_) < 0) state_ = 0;
    if (state_ != kRunning) changes_.push_back({Change::kPaused, ""});
  } else if (is(kAvahiGroup, "StateChanged")) {
    if (sd_bus_message_read(message, "i", &state) > 0 &&
        state == kGroupConflict) {
      changes_.push_back({Change::kConflict, sd_bus_message_get_path(message)});
    }
  }
}

}  // namespace halftoned
