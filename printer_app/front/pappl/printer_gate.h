// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL frees a printer as soon as it is deleted, while other requests still
// use it. The front end knows all requests, so deletion waits here: once it has
// begun no request finds the printer, those for it are ended, and before it
// ends no request of any kind is running.

#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace halftoned {

// By which a printer is known here: PAPPL looks at no case of letters.
std::string KeyOf(const std::string& name);

class PrinterGate {
 public:
  // A request. printer: its name, or empty if it may use all of them. end: by
  // which a deletion ends it while its client sends; another thread's, takes no
  // lock.
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

  // A deletion, which ends the printer's requests.
  class Deletion {
   public:
    Deletion(PrinterGate& gate, std::string printer);
    ~Deletion();
    Deletion(const Deletion&) = delete;
    Deletion& operator=(const Deletion&) = delete;

    // False: another one deletes it.
    bool is_allowed() const { return is_allowed_; }
    // Until no request for the printer is under way.
    void WaitForItsRequests();
    // Until no request at all is, but those to print, of other printers. They
    // wait from now on.
    void WaitForAll();

   private:
    PrinterGate& gate_;
    const std::string printer_;
    bool is_allowed_;
    bool is_alone_ = false;
  };

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  // By printer; those of all printers by the empty name.
  std::multimap<std::string, Use*> uses_;
  std::set<std::string> doomed_;
  int alone_ = 0;  // deletions that are, or wait to be
};

}  // namespace halftoned
