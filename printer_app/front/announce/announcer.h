// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Announces the printers by DNS-SD, in its own thread. In PAPPL, two threads
// take locks in different orders for this, so a name that another machine also
// has would stop the server (system.cc turns it off).

#pragma once

#include <avahi-client/client.h>
#include <avahi-client/publish.h>
#include <avahi-common/simple-watch.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "printer_app/front/announce/announcement.h"

namespace halftoned {

class Front;

class Announcer {
 public:
  explicit Announcer(const Front& front) : front_(front) {}

  // Announces the printers of the server that listens at this port until the
  // process ends.
  void Run(int port);
  // The printers may have changed. Called by any thread.
  void Look();

 private:
  struct FreePoll {
    void operator()(AvahiSimplePoll* poll) const {
      avahi_simple_poll_free(poll);
    }
  };
  struct FreeClient {
    void operator()(AvahiClient* client) const { avahi_client_free(client); }
  };
  struct Entry {
    Announcement printer;
    int conflicts = 0;
    bool is_doubtful = false;  // Avahi seems to report a conflict
    bool is_given_up = false;
    AvahiEntryGroup* group = nullptr;  // the client's
    bool is_due = true;                // to be announced
  };

  bool IsWell() const;  // the connection to Avahi
  // Milliseconds until what has failed is tried again; negative: nothing has.
  int Pause() const;
  void Retry();
  void Connect();
  void Disconnect();
  void ReadPrinters();
  void AnnounceDue();
  void AskWhatIsDoubtful();
  void Announce(Entry& entry);
  int AddAll(AvahiEntryGroup* group, const std::string& name,
             AvahiStringList* texts);
  static void OnClient(AvahiClient* client, AvahiClientState state, void* data);
  static void OnGroup(AvahiEntryGroup* group, AvahiEntryGroupState state,
                      void* data);

  const Front& front_;
  int port_ = 0;
  // It is never destroyed, since it may be woken at any time.
  const std::unique_ptr<AvahiSimplePoll, FreePoll> poll_{
      avahi_simple_poll_new()};
  std::unique_ptr<AvahiClient, FreeClient> client_;
  AvahiClientState state_ = AVAHI_CLIENT_CONNECTING;
  bool is_lost_ = false;                            // the connection to Avahi
  std::chrono::steady_clock::time_point last_try_;  // to connect
  std::atomic<bool> is_time_to_look_ = true;
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace halftoned
