// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/announce/avahi.h"

#include <poll.h>

#include <cstdint>
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
constexpr int kGroupConflict = 3;  // a state of a group
// All interfaces and protocols, no flags.
constexpr int32_t kAnyNetwork = -1;
constexpr uint32_t kNoFlags = 0;

}  // namespace

void Avahi::Connect() {
  owner_.clear();
  sd_bus* bus = nullptr;
  bus_.reset(sd_bus_open_system(&bus) < 0 ? nullptr : bus);
  if (!bus_) return;
  const std::string signals = "type='signal',sender='";
  if (sd_bus_add_filter(bus, nullptr, OnMessage, this) < 0 ||
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

std::vector<Avahi::Change> Avahi::Wait(int wakeup, int milliseconds) {
  int done = 0;
  bool has_news = false;
  while (bus_ && (done = sd_bus_process(bus_.get(), nullptr)) > 0) {
    has_news = true;
  }
  if (done < 0) {
    bus_.reset();
    owner_.clear();
    changes_.push_back({Change::kGone, ""});
  } else if (!has_news) {
    pollfd waits[] = {{wakeup, POLLIN, 0},
                      {bus_ ? sd_bus_get_fd(bus_.get()) : -1, POLLIN, 0}};
    poll(waits, 2, milliseconds);
  }
  for (const Change& change : changes_) {
    if (change.kind == Change::kGone && bus_) Find();
  }
  return std::exchange(changes_, {});
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

Result<Avahi::Message> Avahi::Send(const Message& call) {
  if (!bus_ || !call) return IoError("there is no connection to Avahi");
  sd_bus_error error{};
  sd_bus_message* answer = nullptr;
  const int status = sd_bus_call(bus_.get(), call.get(), 0, &error, &answer);
  Message owned(answer);
  if (status >= 0) return owned;
  const bool is_taken = sd_bus_error_has_name(&error, kNameTaken) > 0;
  const std::string why = error.message ? error.message : strerror(-status);
  sd_bus_error_free(&error);
  return is_taken ? BadInput(why) : IoError(why);
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

int Avahi::OnMessage(sd_bus_message* message, void* data,
                     sd_bus_error* /*error*/) {
  static_cast<Avahi*>(data)->TakeSignal(message);
  return 0;
}

// D-Bus itself says who the sender is.
void Avahi::TakeSignal(sd_bus_message* message) {
  const char* sender = sd_bus_message_get_sender(message);
  if (!sender) return;
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
