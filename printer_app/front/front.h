// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end of the printer application. It owns the sockets that clients
// reach, identifies the caller, reads the whole request, and decides how much
// of it PAPPL gets.

#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "printer_app/front/announce/announcer.h"
#include "printer_app/front/callers/network_counts.h"
#include "printer_app/front/callers/recent_names.h"
#include "printer_app/front/callers/work_slots.h"
#include "printer_app/front/client/answer_room.h"
#include "printer_app/front/client/certificate.h"
#include "printer_app/front/front_log.h"
#include "printer_app/front/pappl/behind.h"
#include "printer_app/front/pappl/open_jobs.h"
#include "printer_app/front/pappl/printer_gate.h"
#include "printer_app/front/pappl/shared_look.h"
#include "printer_app/front/pappl/user_shares.h"
#include "printer_app/front/pappl/user_subscriptions.h"
#include "printer_app/front/rules/caller.h"

namespace halftoned {

struct FrontSettings {
  std::vector<std::string> sockets;  // paths of Unix sockets
  std::vector<std::string> hosts;    // to listen at; "*": all addresses
  int port = 0;                      // of them; 0: the first that is free
  std::string host_name;             // of this server
  std::string folder;                // of this user alone, for its files
  std::string spool;                 // of documents
  std::string auth_service;          // of PAM; empty: no passwords
  bool has_tls = true;
  int client_timeout = 300;  // seconds that a client may be silent
  int answer_timeout = 60;   // and PAPPL
  // Limits per user, at a time.
  int user_jobs = 1000;
  uint64_t user_bytes = UINT64_MAX;
  std::string log_file;  // as FrontLog has it
  FrontLog::Level log_level = FrontLog::kWarn;

  std::string SocketBehind() const { return folder + "/pappl.sock"; }
  std::string TurnFile() const { return folder + "/turn"; }
  std::string LogPipe() const { return folder + "/log"; }
};

// Settings that PAPPL's side can change.
struct LiveSettings {
  std::string admin_group;
  std::string host_name;
};

struct LivePrinter {
  int id;
  std::string print_group;
  std::string name;  // the last part of its address
};

class Front {
 public:
  static constexpr int kMostConnections = 512;
  static constexpr int kMostOfNetwork = 96;
  static constexpr int kKeptForAdmins = 32;
  static constexpr int kMostEnding = 64;  // dropped to make room for others
  static constexpr int kMostWork = 64, kMostWorkOfNetwork = 8;
  static constexpr int kMostHandshakes = 128, kMostHandshakesOfNetwork = 4;
  static constexpr int kMostLists = 128, kMostListsOfNetwork = 8;
  static constexpr size_t kMostAnswerBytes = size_t{64} << 20;
  static constexpr int kMostChecks = 128, kMostChecksOfNetwork = 16;
  static constexpr int kMostProvenChecks = 64;
  static constexpr int kMostTurns = 14, kMostTurnsOfNetwork = 4;
  static constexpr int kMostProvenTurns = 8, kMostTurnsOfSuspects = 12;

  explicit Front(FrontSettings given)
      : settings(std::move(given)),
        log(settings.log_file, settings.log_level),
        behind(settings.SocketBehind(), settings.TurnFile()),
        form_key(MakeKey()) {}

  const FrontSettings settings;
  const FrontLog log;
  const time_t start = std::time(nullptr);
  const Behind behind;
  Certificate certificate{settings.host_name, settings.folder, log};
  const std::string form_key;  // for the tokens in forms
  // The server has been told to end, and PAPPL has paused all printers.
  std::atomic<bool> is_ending = false;
  // For requests of all clients that are not trusted. More could have all
  // connections, which are not dropped while the server works.
  WorkSlots work_slots{kMostWorkOfNetwork, kMostWork};
  // Handshakes of TLS: each takes milliseconds of CPU time.
  WorkSlots handshakes{kMostHandshakesOfNetwork, kMostHandshakes};
  // Requests for lists of jobs, printers and events: each list can take
  // megabytes.
  NetworkCounts lists{kMostListsOfNetwork, kMostLists};
  // Lists, pages and pictures that clients have not read yet.
  AnswerRoom answers{kMostAnswerBytes};
  // Checks of passwords: each takes CPU time, a wrong password takes seconds,
  // and PAM can hang. Proven users sent a right one from the same network, and
  // then no wrong one.
  NetworkCounts unproven_checks{kMostChecksOfNetwork, kMostChecks};
  NetworkCounts proven_checks{kMostChecksOfNetwork, kMostProvenChecks};
  // Those that run.
  WorkSlots unproven_turns{kMostTurnsOfNetwork, kMostTurns};
  WorkSlots proven_turns{kMostTurnsOfNetwork, kMostProvenTurns};
  RecentNames right_passwords{std::chrono::hours(24)};   // users of networks
  RecentNames wrong_passwords{std::chrono::minutes(1)};  // sites
  // The turns of sites that sent a wrong password, before the others': so they
  // cannot take all.
  WorkSlots suspects_turns{kMostTurnsOfNetwork, kMostTurnsOfSuspects};
  PrinterGate gate;
  UserSubscriptions subscriptions;
  SharedLook look_at_subscriptions;  // IppRequest::ForgetEndedSubscriptions
  UserShares shares{{settings.user_jobs, settings.user_bytes},
                    [this] { return UserShares::RoomOf(settings.spool); }};
  SharedLook look_at_jobs;  // IppRequest::ForgetEndedJobs
  OpenJobs open_jobs;
  std::mutex creating;  // a printer
  std::mutex new_names_mutex;
  std::set<std::string> new_names;  // keys of printers that are being added
  // Lists take long, so of all clients' lists, only one at a time waits among
  // requests to PAPPL; and one of those that cancel a user's jobs or the
  // current one.
  WorkSlots listing{1, 1};
  WorkSlots canceling{1, 1};
  Announcer* announcer = nullptr;  // null: no other machine can connect

  // Asks PAPPL's process; without an answer, returns the strictest settings.
  LiveSettings Live() const;
  bool AnswersPages() const {
    return behind.AskPage(Behind::kPrintersPage).ok();
  }
  // The default printer is the first.
  std::vector<LivePrinter> Printers() const;
  static constexpr char kNotSaved[] =
      "The change is in effect, but cannot be saved (is the disk full?): it is "
      "lost when the server ends.";
  static constexpr char kEndNotSaved[] =
      "The end of a canceled job cannot be saved (is the disk full or "
      "read-only?): if the server ends before the disk can be written, the job "
      "prints when it starts again.";
  static constexpr char kJobNotSaved[] =
      "The job cannot be saved (is the disk full or read-only?), so it is "
      "canceled.";
  // Saves the ends of canceled jobs. False: one of these jobs would print after
  // a restart. jobs: 0 is any job of the printer.
  bool SavesEnds(const std::string& printer, const std::set<int>& jobs) const;
  // False: the new job is not on disk.
  bool SavesJob(const std::string& printer, int job) const;
  // Saves printers and their settings. False: they are not on disk.
  bool SavesPrinters() const {
    if (announcer) announcer->Look();
    return behind.AskPage("/halftone-inner/save").ok();
  }
  // The key in the gate of a new printer with this name.
  static std::string KeyOfNew(std::string_view name);
  // The name of a printer that is being added: PAPPL would add two of the same
  // name at the same time.
  class NewName {
   public:
    NewName(Front& front, const std::string& name);
    ~NewName();
    NewName(const NewName&) = delete;
    NewName& operator=(const NewName&) = delete;

    // Why no printer with this name can be added; empty if one can.
    const std::string& why_not() const { return why_not_; }

   private:
    Front& front_;
    const std::string key_;
    bool is_first_;
    std::string why_not_;
  };
  // Sets is_admin of a local caller.
  void FindRights(Caller& caller) const;
  bool IsOurHost(const std::string& host) const;
  // True if the printer accepts jobs of the user.
  bool MayPrint(const Caller& caller, const std::string& printer) const;

 private:
  static std::string MakeKey();
  std::string WhatForbidsName(const std::string& name) const;
};

}  // namespace halftoned
