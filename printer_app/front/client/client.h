// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client's connection and its current request: HTTP, with libcups.

#pragma once

#include <cups/http.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "printer_app/front/client/answer_room.h"
#include "printer_app/front/client/certificate.h"
#include "printer_app/front/client/client_wait.h"
#include "printer_app/front/pappl/behind.h"
#include "printer_app/front/rules/caller.h"
#include "printer_app/front/rules/chunk_scan.h"
#include "printer_app/front/rules/message.h"

namespace halftoned {

struct CloseHttp {
  void operator()(http_t* http) const { httpClose(http); }
};

class FrontClient : public ClientWait {
 public:
  // timeout: seconds of silence until the client is dropped.
  FrontClient(std::unique_ptr<http_t, CloseHttp> http, Caller given,
              int timeout, WorkSlots& slots, WorkSlots& handshakes,
              AnswerRoom& answers)
      : ClientWait(httpGetFd(http.get()), timeout, slots, handshakes),
        caller(std::move(given)),
        answers_(answers),
        http_(std::move(http)) {
    WaitInLibcups();
  }
  ~FrontClient() { EndDecoding(); }

  Caller caller;

  // Reads the head of the next request. False: the client sends no request.
  bool ReadRequest();

  http_state_t method() const { return method_; }
  // The server that an absolute target names, like the Host field.
  const std::string& target_host() const { return target_host_; }
  const std::string& path() const { return path_; }    // decoded
  const std::string& query() const { return query_; }  // as it came
  const std::string& Field(http_field_t field) const { return fields_[field]; }
  bool is_encrypted() const { return httpIsEncrypted(http_.get()) != 0; }
  std::string address() const;

  // 101, and the handshake.
  bool Encrypt(Certificate& certificate);
  bool EncryptIfItBegins(Certificate& certificate);
  bool Continue();
  // Has libcups decode the body as Content-Encoding says.
  void Decode();

  // False: the size of the body is missing, or can be read in two ways.
  bool HasClearSize() const { return has_clear_size_; }
  bool is_chunked() const { return chunks_.has_value(); }
  // Some of the body has not been read.
  bool has_more() const;
  // While one exists, reads look for interruptions. Each read alone costs
  // system calls.
  class Look {
   public:
    explicit Look(FrontClient& client);
    ~Look();
    Look(const Look&) = delete;
    Look& operator=(const Look&) = delete;

   private:
    FrontClient& client_;
    const bool is_first_;
  };
  // Reads the next bytes of the body, at most `size`; 0 at its end. An error if
  // the connection ends earlier, a chunk is wrong, or the request is
  // interrupted.
  Result<size_t> Read(char* room, size_t size);
  // Reads the rest of the body, even of an interrupted request. If a coded body
  // is long, some remains, and no request follows.
  Result<void> Drain();

  // Answers, once the body is read. False: no request follows.
  bool Respond(http_status_t status, const HttpFields& fields,
               std::string_view body);
  // Responds with the status as a line of text.
  bool RespondStatus(http_status_t status);
  bool RespondIpp(Ipp answer);
  // The same, before the body is read; no request follows.
  void RespondIppEarly(Ipp answer);
  // Closes the connection. With TLS, notifies the client first, even if it does
  // not read.
  void Close();

 private:
  // Until other code drops the client; Read also looks for interruptions.
  void WaitInLibcups();
  bool GoesOn();
  bool ParseTarget(const std::string& target);
  bool BeginTls(Certificate& certificate);
  bool HasClearHead();
  http_status_t ReadHead();
  // The head of the request cannot be used.
  void RespondBad();
  Result<size_t> ReadBody(char* room, size_t size);
  Result<size_t> ReadChunk(char* room, size_t size);
  void EndDecoding();
  // Drops the rest of the request until the client has closed the connection,
  // but not for long.
  void Linger();
  bool Begin(http_status_t status, const HttpFields& fields, size_t length);
  bool WriteBody(std::string_view body);

  AnswerRoom& answers_;
  std::unique_ptr<http_t, CloseHttp> http_;
  http_state_t method_ = HTTP_STATE_WAITING;
  std::string target_host_, path_, query_;
  // As they came in the head.
  std::array<std::string, HTTP_FIELD_MAX> fields_;
  bool keeps_alive_ = true;
  bool is_coded_ = false;   // this body
  bool was_coded_ = false;  // a body of this connection
  bool has_clear_size_ = true;
  bool has_many_cookies_ = false;  // more than a head has room for
  std::optional<ChunkScan> chunks_;
  bool looks_ = false;  // see Look
  Clock::time_point asked_since_;
  int asked_ = 0;  // since then, whether to go on
};

}  // namespace halftoned
