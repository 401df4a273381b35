// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL 1.3 waits for its clients without end, a printer's next jobs with it,
// and takes a document for whole that ends because its client has gone.
// Functions that stand before PAPPL's own and before the one that reads
// documents, libcups', fail in both cases, and PAPPL aborts the job.

#include "printer_app/interposed/client_reads.h"

#include <cups/http.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "printer_app/interposed/of_library.h"

namespace halftoned {
namespace {

// A request without its document comes at once.
constexpr int kMostSecondsOfRequest = 60;
constexpr int kStepMilliseconds = 200;

std::atomic<int> timeout = kClientTimeout;
thread_local pappl_job_t* job_of_thread = nullptr;

bool IsWithin(http_t* client) {
  return httpGetState(client) == HTTP_STATE_POST_RECV &&
         (httpIsChunked(client) || httpGetRemaining(client) > 0);
}

// False if nothing comes for too long.
bool WaitFor(http_t* client) {
  for (int left = timeout * 1000; left > 0; left -= kStepMilliseconds) {
    if (httpWait(client, std::min(left, kStepMilliseconds))) return true;
    if (job_of_thread && papplJobIsCanceled(job_of_thread)) return false;
  }
  return false;
}

}  // namespace

void SetClientTimeout(int seconds) { timeout = seconds; }

JobReads::JobReads(pappl_job_t* job) { job_of_thread = job; }
JobReads::~JobReads() { job_of_thread = nullptr; }

}  // namespace halftoned

extern "C" ssize_t httpRead2(http_t* client, char* bytes, size_t size) {
  static auto* const read = halftoned::OfLibrary(httpRead2, "httpRead2");
  if (!halftoned::IsWithin(client)) {
    // Behind the last chunk libcups would wait for another one, row after row.
    if (halftoned::job_of_thread &&
        httpGetState(client) == HTTP_STATE_POST_SEND) {
      return 0;
    }
    return read(client, bytes, size);
  }
  errno = ETIMEDOUT;
  if (!halftoned::WaitFor(client)) return -1;
  const ssize_t got = read(client, bytes, size);
  // The end of the connection, not of the document.
  if (got == 0 && (halftoned::IsWithin(client) || httpError(client))) return -1;
  return got;
}

extern "C" pappl_client_t* _papplClientCreate(pappl_system_t* system,
                                              int listener) {
  static auto* const create =
      halftoned::OfLibrary(_papplClientCreate, "_papplClientCreate");
  pappl_client_t* client = create(system, listener);
  if (client) {
    httpSetTimeout(
        papplClientGetHTTP(client),
        std::min<int>(halftoned::timeout, halftoned::kMostSecondsOfRequest),
        nullptr, nullptr);
  }
  return client;
}
