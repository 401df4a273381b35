// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests from the front end itself to PAPPL about a printer's jobs.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "printer_app/front/pappl/behind.h"

namespace halftoned {

struct JobOfPrinter {
  int id = 0;
  int state = 0;
  std::string owner;
  std::string name;
  // As its client has named it; empty: the client has not.
  std::string format;
  // Not only for its turn; only Active says so.
  bool is_held = false;
};

class PrinterJobs {
 public:
  // network: of the client that asks; empty: none does. resource: the path in
  // the printer's URI.
  PrinterJobs(const Behind& behind, std::string network, std::string resource)
      : behind_(behind),
        network_(std::move(network)),
        resource_(std::move(resource)) {}

  std::optional<JobOfPrinter> Find(int id) const;
  // which: not-completed or all. most: 0 for no limit.
  std::vector<JobOfPrinter> List(const char* which, int most = 0) const;
  // The jobs that have not ended, by number; nothing if PAPPL does not answer.
  // A printer that does not exist has no jobs.
  std::optional<std::map<int, JobOfPrinter>> Active() const;
  // False if PAPPL refuses.
  bool Cancel(int id) const;

  Ipp Request(ipp_op_t operation) const;

 private:
  Result<Ipp> AskForList(const char* which, int most) const;
  Result<Ipp> Ask(ipp_t* request) const {
    return behind_.AskIpp(
        request, {.network = network_,
                  .printer = resource_.substr(resource_.rfind('/') + 1)});
  }

  const Behind& behind_;
  const std::string network_;
  const std::string resource_;
};

}  // namespace halftoned
