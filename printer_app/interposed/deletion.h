// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printers that are deleted. PAPPL 1.3 frees them at once, with their jobs,
// while other clients still use them, and the program ends. Here a printer that
// is to be deleted is found by no request any more, its jobs are canceled, and
// it is freed when all requests that had begun before, and its last job, have
// ended.

#ifndef HALFTONED_PRINTER_APP_INTERPOSED_DELETION_H_
#define HALFTONED_PRINTER_APP_INTERPOSED_DELETION_H_

#include <pappl/pappl.h>

namespace halftoned {

// While it lives, this thread waits for a client's request and answers it.
class ClientThread {
 public:
  ClientThread();
  ~ClientThread();
  ClientThread(const ClientThread&) = delete;
  ClientThread& operator=(const ClientThread&) = delete;
};

// A request has come: until the ClientThread ends, this thread may use all
// printers that it finds. Web pages begin it by themselves.
void BeginRequestUse();

// Whether this request has deleted it: then it may be gone.
bool HasDeleted(pappl_printer_t* printer);

// While it lives, the printer is there.
class PrinterUse {
 public:
  explicit PrinterUse(pappl_printer_t* printer);
  ~PrinterUse();
  PrinterUse(const PrinterUse&) = delete;
  PrinterUse& operator=(const PrinterUse&) = delete;

 private:
  pappl_printer_t* const printer_;
};

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_INTERPOSED_DELETION_H_
