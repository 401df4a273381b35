// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The server's certificate for TLS, and its key. libcups reads both files for
// each connection: from its own directory or, if that has none, from that of
// Let's Encrypt. It would also make them, but without a lock: clients that
// connect at the same time would leave a key that does not match.

#pragma once

#include <cups/http.h>

#include <chrono>
#include <mutex>
#include <string>

#include "base/result.h"
#include "printer_app/front/front_log.h"

namespace halftoned {

class Certificate {
 public:
  // host: the server's name. private_folder: has room for a socket. keys: where
  // the files are; empty for libcups' own directory.
  Certificate(const std::string& host, std::string private_folder,
              const FrontLog& log, std::string keys = {});

  // Begins TLS on a connection that has come from a client. If no certificate
  // works, makes one.
  bool Encrypt(http_t* http);

 private:
  enum class State { kUnknown, kWorks, kFailed };

  // Whether the files exist and match.
  Result<bool> Works() const;
  State Check();
  void UseFor(http_t* http) const;

  const std::string host_;
  const std::string private_folder_;
  const FrontLog& log_;
  const std::string keys_;
  std::mutex mutex_;
  State state_ = State::kUnknown;
  bool has_worked_ = false;
  std::chrono::steady_clock::time_point checked_;
};

}  // namespace halftoned
