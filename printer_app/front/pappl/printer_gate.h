// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL frees a printer as soon as it is deleted, even while other requests use
// it. The front end knows all requests, so a deletion waits here. When it
// begins, it ends the printer's incomplete requests, and new ones no longer
// find the printer. Before PAPPL deletes the printer, requests that may use all
// printers end, too.

#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace halftoned {

// The key of a printer here: PAPPL ignores the case of its name.
std::string KeyOf(const std::string& name);

class PrinterGate {
 public:
  // The printer of a request that uses none.
  static constexpr char kNone[] = "/";

  // A request. printer: its name, or empty if the request may use all printers.
  // end: ends the request while its client is sending. A deletion calls it from
  // another thread, and again if the request is still there after kPatience; it
  // must not lock anything.
  class Use {
   public:
    Use(
        PrinterGate& gate, std::string printer,
        std::function<void()> end = [] {});
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    // False: the printer is being deleted.
    bool is_allowed() const { return is_allowed_; }

   private:
    friend class PrinterGate;

    PrinterGate& gate_;
    const std::string printer_;
    const std::function<void()> end_;
    bool is_allowed_;
  };

  // A deletion, which ends the printer's incomplete requests.
  class Deletion {
   public:
    Deletion(PrinterGate& gate, std::string printer);
    ~Deletion();
    Deletion(const Deletion&) = delete;
    Deletion& operator=(const Deletion&) = delete;

    // False: another request is deleting the printer.
    bool is_allowed() const { return is_allowed_; }
    // Waits until no request for the printer is running.
    void WaitForItsRequests();
    // Waits until no request that may use all printers is running, and makes
    // new ones wait.
    void WaitForAll();

   private:
    PrinterGate& gate_;
    const std::string printer_;
    bool is_allowed_;
    bool is_alone_ = false;
  };

 private:
  static constexpr std::chrono::seconds kPatience{5};

  void End(const std::string& printer);

  std::mutex mutex_;
  std::condition_variable changed_;
  // By printer; requests that may use all printers have an empty name.
  std::multimap<std::string, Use*> uses_;
  std::set<std::string> doomed_;
  int alone_ = 0;  // deletions since WaitForAll
};

}  // namespace halftoned
