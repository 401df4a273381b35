// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests to PAPPL, behind the front end. Each uses a new connection to a Unix
// socket that only the server's user can reach.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "printer_app/front/callers/work_slots.h"
#include "printer_app/front/rules/message.h"

namespace halftoned {

using HttpFields = std::vector<std::pair<std::string, std::string>>;

// An answer whose head has been read.
class BehindAnswer {
 public:
  explicit BehindAnswer(Descriptor connection)
      : connection_(std::move(connection)) {}

  int status() const { return status_; }
  // The first field with the name, in lower case; empty if there is none.
  std::string Field(std::string_view name) const;

  Result<void> ReadHead();
  // The next bytes of the body; empty at its end.
  Result<std::string> ReadMore();
  // The whole body, if it has at most `most` bytes.
  Result<std::string> ReadAll(size_t most);
  // Call it at the end of the body: returns once PAPPL has deleted the request
  // and the answer.
  void AwaitDeletion();

 private:
  Result<std::string> ReadLine();
  Result<bool> Fill();
  Result<std::string> Take(size_t most);

  Descriptor connection_;
  std::string buffer_;  // that has come, and is not taken
  int status_ = 0;
  HttpFields fields_;
  enum class Body : uint8_t {
    kNone,
    kLength,
    kChunks,
    kRest
  } body_ = Body::kNone;
  uint64_t left_ = 0;  // of the body, or of a chunk
  bool is_in_chunk_ = false;
};

// The client that causes a request, and what the request is about.
struct Asker {
  std::string network;             // see Caller; empty: the front itself
  std::string host = "localhost";  // the client's name for this server
  std::string printer;             // the last part of its address, or empty
};

class Behind {
 public:
  // Its lines are "ID GROUP /NAME".
  static constexpr char kPrintersPage[] = "/halftone-inner/printers";

  // turn_file: see job_turns.h.
  Behind(std::string socket, std::string turn_file)
      : socket_(std::move(socket)), turn_file_(std::move(turn_file)) {}

  // head: request line and fields, without lengths, the connection's end and an
  // empty line. Waits if the server is starting.
  Result<BehindAnswer> Ask(const std::string& head,
                           std::string_view body) const {
    return AskOpen(head + "Connection: close\r\n", body);
  }

  // document: sent after `request`. Asks again if PAPPL has missed a printer or
  // a job.
  Result<Ipp> AskIpp(ipp_t* request, const Asker& asker,
                     std::string_view document = {}) const;

  // Makes PAPPL forget jobs that ended long ago, if it keeps many.
  void Tidy() const;

  // Requests that change jobs or printers hold this lock, except those that
  // create jobs. While it is held, no job begins.
  Descriptor LockTurns() const;
  // See handover/job_lock.h; a caller that changes holds has locked turns.
  Descriptor LockHolds(bool changes) const;

  // A page of server/inner_pages.h.
  Result<std::string> AskPage(const std::string& path) const;

 private:
  Result<Descriptor> Connect() const;
  // The connection stays open, unless `head` closes it.
  Result<BehindAnswer> AskOpen(std::string head, std::string_view body) const;
  // Combines PAPPL's lists of active and ended jobs. PAPPL also looks up jobs
  // by number in its list of all jobs; if such a lookup fails while another
  // thread iterates that list, PAPPL crashes.
  Result<Ipp> AskForAllJobs(ipp_t* request, const Asker& asker) const;
  Result<Ipp> AskUntilFound(ipp_t* request, const Asker& asker,
                            std::string_view document) const;
  // True also if PAPPL does not reply.
  bool HasPrinter(const std::string& name) const;
  Result<Ipp> AskIppOnce(ipp_t* request, const std::string& host,
                         std::string_view document) const;

  const std::string socket_;
  const std::string turn_file_;
  // Taken before the files of job_lock.h: a request that has locked one of them
  // waits for no other request.
  mutable WorkSlots turns_{1, 1};
};

}  // namespace halftoned
