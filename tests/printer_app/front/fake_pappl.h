// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces PAPPL's process: has one printer, "office", and answers as the test
// specifies.

#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "printer_app/front/rules/message.h"

namespace halftoned {

class FakePappl {
 public:
  // Any thread can call it. Null: the connection ends without an answer.
  using Answer =
      std::function<Ipp(ipp_t* request, const std::string& document)>;

  // Each of its web pages; more than a connection holds.
  static constexpr size_t kBytesOfPage = 8 << 20;

  FakePappl(const std::string& socket, Answer answer);
  ~FakePappl();
  FakePappl(const FakePappl&) = delete;
  FakePappl& operator=(const FakePappl&) = delete;

  // The number of requests for the operation.
  int Count(ipp_op_t operation) const;
  // Answers questions for the device ID of the printer at a URI.
  void TellIds(std::function<std::string(const std::string& uri)> tell) {
    tell_id_ = std::move(tell);
  }
  // Answers questions for a document's format.
  void TellFormat(const std::string& format) { format_ = format; }
  // From now on, the end of this job cannot be saved.
  void LoseEnd(int job) { unsaved_end_ = job; }
  // From now on, this job cannot be saved.
  void LoseJob(int job) { unsaved_job_ = job; }

 private:
  void Serve();
  void ServeOne(const Descriptor& connection);
  std::string BodyFor(const std::string& request);

  const Answer answer_;
  Descriptor listener_;
  mutable std::mutex mutex_;
  std::vector<int> operations_;
  std::function<std::string(const std::string& uri)> tell_id_;
  std::string format_ = "text/plain";
  std::atomic<int> unsaved_end_ = 0;  // 0: none
  std::atomic<int> unsaved_job_ = 0;
  std::vector<std::thread> threads_;
  std::thread accepting_;
};

// The next HTTP message of a connection, if it has a Content-Length or no body.
// Empty if it does not come.
std::string ReadMessage(int connection);

// A successful answer with a job's number and state.
Ipp AnswerWithJob(ipp_t* request, int id);

}  // namespace halftoned
