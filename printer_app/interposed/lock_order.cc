// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One order of locks. PAPPL 1.3 takes the system's lock before a printer's, but
// for one place: a job that it aborts because its document does not come, or
// because its printer is busy. With a save of the state, or a list of the
// printers, at the same time, both wait for ever, and soon all clients with
// them. That place takes the locks of the printer and the job, and then the
// system's, in which it sets a number that PAPPL sets without the lock
// elsewhere. So the system's lock is left out there.
//
// These functions stand before PAPPL's own and before the C library's, in
// PAPPL's calls. Where PAPPL no longer calls functions of these names, they do
// nothing.

#include <pappl/pappl.h>
#include <pthread.h>

#include "printer_app/interposed/of_library.h"

extern "C" void _papplJobCopyDocumentData(pappl_client_t* client,
                                          pappl_job_t* job);
extern "C" void _papplClientFlushDocumentData(pappl_client_t* client);

namespace {

constexpr int kLocksOfJob = 2;  // the printer's and its own

struct Abortion {
  bool takes_document = false;
  bool has_begun = false;
  int locks = 0;  // that it has taken, and not given back
  pthread_rwlock_t* left_out = nullptr;
};
thread_local Abortion abortion;

}  // namespace

extern "C" void _papplJobCopyDocumentData(pappl_client_t* client,
                                          pappl_job_t* job) {
  static auto* const copy = halftoned::OfLibrary(_papplJobCopyDocumentData,
                                                 "_papplJobCopyDocumentData");
  abortion = {.takes_document = true};
  copy(client, job);
  abortion = {};
}

// What is left of a document, before the locks are taken.
extern "C" void _papplClientFlushDocumentData(pappl_client_t* client) {
  static auto* const flush = halftoned::OfLibrary(
      _papplClientFlushDocumentData, "_papplClientFlushDocumentData");
  flush(client);
  abortion.has_begun = abortion.takes_document;
}

extern "C" int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  static auto* const take =
      halftoned::OfLibrary(pthread_rwlock_wrlock, "pthread_rwlock_wrlock");
  if (!abortion.has_begun) return take(lock);
  if (abortion.locks == kLocksOfJob) {
    abortion.left_out = lock;
    abortion.has_begun = false;
    return 0;
  }
  ++abortion.locks;
  return take(lock);
}

extern "C" int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  static auto* const give_back =
      halftoned::OfLibrary(pthread_rwlock_unlock, "pthread_rwlock_unlock");
  if (abortion.left_out == lock) {
    abortion.left_out = nullptr;
    return 0;
  }
  abortion.has_begun = false;  // it is another place
  return give_back(lock);
}
