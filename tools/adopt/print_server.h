// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues as CUPS shows them, and their PPD files, over IPP: the server is the
// one of every CUPS program, CUPS_SERVER or that of client.conf. Knows nothing
// of what PPD files say. The only file of this program that knows IPP.

#ifndef HALFTONED_TOOLS_ADOPT_PRINT_SERVER_H_
#define HALFTONED_TOOLS_ADOPT_PRINT_SERVER_H_

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace halftoned {

struct PrintQueue {
  std::string name;
  bool is_class = false;
  bool is_remote = false;     // of another server
  bool is_temporary = false;  // made by CUPS for a while
  bool is_browsed = false;    // made by cups-browsed
  bool is_printing = false;
  // Whether it was adopted once, whatever its PPD file says now: an option of
  // the queue that no filter knows.
  bool is_marked = false;
  std::set<std::string> formats;  // types of documents that it takes
};

class PrintServer {
 public:
  static Result<PrintServer> Connect();

  Result<std::vector<PrintQueue>> Queues();
  Result<PrintQueue> Queue(const std::string& name);

  // Its PPD file; kUnavailable if it has none.
  Result<std::string> Ppd(const std::string& name);
  // Puts `ppd` in the place of what is there, if it is not empty, and marks the
  // queue, or takes the mark away.
  Result<void> Change(const std::string& name, const std::string& ppd,
                      bool is_marked);

  // What the models that can be installed call themselves.
  Result<std::vector<std::string>> ModelNames();

 private:
  struct Closer {
    void operator()(void* connection) const;
  };

  explicit PrintServer(void* connection) : connection_(connection) {}

  std::unique_ptr<void, Closer> connection_;  // http_t, of cups/http.h
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_PRINT_SERVER_H_
