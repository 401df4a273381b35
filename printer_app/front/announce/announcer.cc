// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/announce/announcer.h"

#include <avahi-common/error.h>
#include <avahi-common/strlst.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <thread>
#include <utility>

#include "printer_app/front/front.h"
#include "printer_app/front/pappl/printer_jobs.h"

namespace halftoned {
namespace {

constexpr std::chrono::minutes kRetry{1};
// If other services have all names.
constexpr std::chrono::minutes kRetryNames{10};

struct FreeTexts {
  void operator()(AvahiStringList* texts) const {
    avahi_string_list_free(texts);
  }
};

}  // namespace

void Announcer::Run(int port) {
  port_ = port;
  while (poll_) {
    if (Pause() == 0) Retry();
    if (is_lost_) Disconnect();
    if (!client_) Connect();
    if (is_time_to_look_.exchange(false)) ReadPrinters();
    if (IsWell()) {
      AskWhatIsDoubtful();
      AnnounceDue();
    }
    if (avahi_simple_poll_iterate(poll_.get(), Pause()) != 0) {
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  }
}

bool Announcer::IsWell() const {
  return client_ && !is_lost_ && state_ == AVAHI_CLIENT_S_RUNNING;
}

int Announcer::Pause() const {
  const bool has_all = std::ranges::none_of(
      entries_, [](const auto& entry) { return entry->is_given_up; });
  if (IsWell() && has_all) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(
      last_try_ + (IsWell() ? kRetryNames : kRetry) -
      std::chrono::steady_clock::now());
  return std::max(0, static_cast<int>(left.count()));
}

// Any user can send signals in Avahi's name, so a state is not final: a new
// client asks Avahi itself.
void Announcer::Retry() {
  last_try_ = std::chrono::steady_clock::now();
  if (!IsWell()) Disconnect();
  for (const auto& entry : entries_) {
    if (!std::exchange(entry->is_given_up, false)) continue;
    entry->conflicts = 0;
    entry->is_due = true;
  }
}

void Announcer::Look() {
  is_time_to_look_ = true;
  if (poll_) avahi_simple_poll_wakeup(poll_.get());
}

// Without an Avahi, this one is used once it comes; without D-Bus, there is no
// client.
void Announcer::Connect() {
  int error = 0;
  is_lost_ = false;
  last_try_ = std::chrono::steady_clock::now();
  client_.reset(avahi_client_new(avahi_simple_poll_get(poll_.get()),
                                 AVAHI_CLIENT_NO_FAIL, OnClient, this, &error));
}

void Announcer::Disconnect() {
  for (const auto& entry : entries_) {
    entry->group = nullptr;
    entry->is_due = true;
    entry->is_doubtful = false;
  }
  client_.reset();
}

void Announcer::ReadPrinters() {
  std::vector<std::unique_ptr<Entry>> entries;
  const std::vector<LivePrinter> printers = front_.Printers();
  // Without an answer, all stays as it is.
  if (printers.empty() && !front_.AnswersPages()) return;
  for (const LivePrinter& each : printers) {
    const Ipp request = PrinterJobs(front_.behind, "/ipp/print/" + each.name)
                            .Request(IPP_OP_GET_PRINTER_ATTRIBUTES);
    ippAddStrings(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                  "requested-attributes", std::size(kAnnounced), nullptr,
                  kAnnounced);
    const auto answer = front_.behind.AskIpp(request.get(), "localhost");
    if (!answer.ok()) continue;
    const std::string page = "http://" + front_.settings.host_name + ':' +
                             std::to_string(port_) + '/' + each.name + '/';
    Announcement printer = MakeAnnouncement(each.name, page, answer->get());
    const auto found =
        std::ranges::find_if(entries_, [&printer](const auto& entry) {
          return entry && entry->printer == printer;
        });
    if (found != entries_.end()) {
      entries.push_back(std::move(*found));
    } else {
      entries.push_back(std::make_unique<Entry>(Entry{std::move(printer)}));
    }
  }
  std::swap(entries, entries_);
  for (const auto& gone : entries) {
    if (gone && gone->group) avahi_entry_group_free(gone->group);
  }
}

// Avahi accepts a service again only if it has withdrawn it.
void Announcer::AskWhatIsDoubtful() {
  for (const auto& entry : entries_) {
    if (!std::exchange(entry->is_doubtful, false) || !entry->group) continue;
    if (avahi_entry_group_commit(entry->group) == AVAHI_ERR_BAD_STATE) continue;
    ++entry->conflicts;
    entry->is_due = true;
  }
}

void Announcer::AnnounceDue() {
  for (const auto& entry : entries_) {
    if (std::exchange(entry->is_due, false)) Announce(*entry);
  }
}

// Tries names until none is taken by another service of this machine. Those of
// others become known later (OnGroup).
void Announcer::Announce(Entry& entry) {
  if (!entry.group) {
    entry.group = avahi_entry_group_new(client_.get(), OnGroup, &entry);
  }
  if (!entry.group) return;
  const char* host = avahi_client_get_host_name(client_.get());
  const std::string machine = host ? host : front_.settings.host_name;
  for (;; ++entry.conflicts) {
    avahi_entry_group_reset(entry.group);
    const std::string name = NameAfter(entry.conflicts, entry.printer, machine);
    if (name.empty()) {
      entry.is_given_up = true;
      front_.log.Write(FrontLog::kWarn,
                       "Printer " + entry.printer.name +
                           " is not announced: its names are in use.");
      return;
    }
    AvahiStringList* texts = nullptr;
    for (const std::string& text : entry.printer.texts) {
      texts = avahi_string_list_add(texts, text.c_str());
    }
    const std::unique_ptr<AvahiStringList, FreeTexts> owned(texts);
    const int error = AddAll(entry.group, name, texts);
    if (error == 0) return;
    if (error != AVAHI_ERR_COLLISION) {
      entry.is_given_up = true;
      front_.log.Write(FrontLog::kWarn,
                       "Printer " + entry.printer.name +
                           " is not announced: " + avahi_strerror(error) + '.');
      return;
    }
  }
}

// The result is Avahi's error.
int Announcer::AddAll(AvahiEntryGroup* group, const std::string& name,
                      AvahiStringList* texts) {
  const auto add = [&](const char* type, int port, AvahiStringList* list) {
    return avahi_entry_group_add_service_strlst(
        group, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, AvahiPublishFlags{},
        name.c_str(), type, nullptr, nullptr, static_cast<uint16_t>(port),
        list);
  };
  // Keeps the name from servers of the older protocol, and has none itself.
  int error = add("_printer._tcp", 0, nullptr);
  for (const char* type : {"_ipp._tcp", "_ipps._tcp"}) {
    if (error != 0) return error;
    if (!front_.settings.has_tls && std::string_view(type) == "_ipps._tcp") {
      continue;
    }
    error = add(type, port_, texts);
    for (const char* part : {"_print", "_universal"}) {
      if (error != 0) return error;
      error = avahi_entry_group_add_service_subtype(
          group, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, AvahiPublishFlags{},
          name.c_str(), type, nullptr,
          (std::string(part) + "._sub." + type).c_str());
    }
  }
  return error != 0 ? error : avahi_entry_group_commit(group);
}

void Announcer::OnClient(AvahiClient* /*client*/, AvahiClientState state,
                         void* data) {
  auto& self = *static_cast<Announcer*>(data);
  self.state_ = state;
  if (state == AVAHI_CLIENT_FAILURE) self.is_lost_ = true;
  if (state == AVAHI_CLIENT_S_RUNNING) return;
  self.front_.log.Write(FrontLog::kInfo,
                        "Avahi does not announce printers now.");
  // Avahi ended, and the next one knows no groups; or the machine gets another
  // name. After a failure, Disconnect frees them.
  for (const auto& entry : self.entries_) {
    if (entry->group && state == AVAHI_CLIENT_CONNECTING) {
      avahi_entry_group_free(std::exchange(entry->group, nullptr));
    } else if (entry->group && state != AVAHI_CLIENT_FAILURE) {
      avahi_entry_group_reset(entry->group);
    }
    entry->is_due = true;
  }
}

void Announcer::OnGroup(AvahiEntryGroup* /*group*/, AvahiEntryGroupState state,
                        void* data) {
  auto& entry = *static_cast<Entry*>(data);
  if (state == AVAHI_ENTRY_GROUP_COLLISION) entry.is_doubtful = true;
}

}  // namespace halftoned
