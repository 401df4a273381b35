// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A front end in this process, with its own clients and a PAPPL that the test
// defines.

#pragma once

#include <string>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "printer_app/front/front.h"
#include "tests/printer_app/front/fake_pappl.h"

namespace halftoned {

class ServedFront {
 public:
  explicit ServedFront(FakePappl::Answer answer, FrontSettings settings = {});
  ~ServedFront();
  ServedFront(const ServedFront&) = delete;
  ServedFront& operator=(const ServedFront&) = delete;

  Front& front() { return *front_; }
  FakePappl& pappl() { return *pappl_; }
  std::string Socket() const { return folder_ + "/front.sock"; }

  // As this caller; its answer, or null.
  Ipp Ask(const Caller& caller, Ipp request, const std::string& document = "");
  // The same in the bytes of HTTP: the status of the answer, or 0.
  int Say(const Caller& caller, const std::string& request);
  // Each request waits for the answer before it.
  std::vector<std::string> SayAll(const Caller& caller,
                                  const std::vector<std::string>& requests);
  // Answers one connection meanwhile.
  std::thread Serve(const Caller& caller);
  // What is in the spool.
  std::vector<std::string> Spool() const;

 private:
  const std::string folder_;
  std::unique_ptr<FakePappl> pappl_;
  std::unique_ptr<Front> front_;
  Descriptor listener_;
};

// Another user of this machine.
Caller Somebody();

// For the printer "office", or a job of it.
Ipp RequestFor(ipp_op_t operation, int job = 0, const char* format = nullptr);

// ends: false for the start of a longer gzip file.
std::string Gzip(std::string text, bool ends = true);

// Sends it by libcups. Null if no answer comes.
Ipp SendTo(const std::string& socket, Ipp request, const std::string& document);

}  // namespace halftoned
