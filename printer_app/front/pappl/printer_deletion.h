// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deletes a printer once nobody uses it any more; any other deletion crashes
// PAPPL.

#pragma once

#include <string>

#include "printer_app/front/front.h"
#include "printer_app/front/pappl/printer_gate.h"

namespace halftoned {

class PrinterDeletion {
 public:
  PrinterDeletion(Front& front, const std::string& name)
      : front_(front), name_(name), deletion_(front.gate, KeyOf(name)) {}

  // False: another request deletes it.
  bool is_allowed() const { return deletion_.is_allowed(); }
  // Cancels its jobs, and waits until nothing uses it. From then on, while this
  // object exists, PAPPL may delete it.
  void Prepare();
  // Prepares, and does it.
  bool Delete(int id);

 private:
  Front& front_;
  const std::string name_;
  PrinterGate::Deletion deletion_;
};

}  // namespace halftoned
