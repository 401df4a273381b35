// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues in IPP messages.

#pragma once

#include <cups/cups.h>

#include <string>
#include <vector>

#include "adopt/queue/print_server.h"

namespace halftoned {

// Requests the attributes that QueuesIn reads.
void AskForQueues(ipp_t* request);
// Each group of the response's attributes is a queue.
std::vector<PrintQueue> QueuesIn(ipp_t* response);

// Sets or deletes PrintQueue::is_marked. Deleting a missing mark changes
// nothing.
void Mark(ipp_t* request, bool is_marked);

// The first value; empty if there is none.
std::string StringOf(ipp_attribute_t* attribute);

}  // namespace halftoned
