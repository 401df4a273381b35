// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that PAPPL does not check, or does not report: of a job, our
// settings, those of a driver and some standard ones; of a printer's defaults,
// all. Pure.

#pragma once

#include <cups/ipp.h>

#include <string>
#include <vector>

#include "printer_app/front/rules/message.h"

namespace halftoned {

// PAPPL keeps all attributes of a job in memory, and reads them at every start.
// A request for a job; values in collections count too.
bool HasTooManyOptions(ipp_t* request);

// Names of options in the request whose values only the printer's own
// attributes list. The request creates a job, or sets a printer's defaults.
std::vector<std::string> OptionsOfPrinters(ipp_t* request);

// Takes options out of the request whose values the printer does not have, into
// a message of their own; null if there are none. printer: its attributes,
// NAME-supported for each of OptionsOfPrinters; null if there are none.
Ipp TakeUnknown(ipp_t* request, ipp_t* printer);

// Whether the client wants its values or nothing.
bool IsExact(ipp_t* request);

// Whether PAPPL refuses to validate a job only because of values that it leaves
// out when it prints.
bool WouldPrint(ipp_t* answer);

// Adds the options that were taken out, as unsupported. is_refused: nothing was
// done.
void AnswerUnknown(ipp_t* taken, bool is_refused, Ipp& answer);

}  // namespace halftoned
