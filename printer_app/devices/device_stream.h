// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stream of bytes to a printer, which can stop accepting them for any
// length of time.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/process/child.h"
#include "printer_app/front/pappl/user_shares.h"

namespace halftoned {

class DeviceStream {
 public:
  // A socket or a file that takes bytes.
  explicit DeviceStream(Descriptor printer);
  // A program that passes on what it reads from `printer`, a socket. Each time
  // it has passed on some bytes, it writes their number to `acknowledgements`,
  // as a uint64_t.
  DeviceStream(Descriptor printer, Descriptor acknowledgements, Child program);
  ~DeviceStream();
  DeviceStream(const DeviceStream&) = delete;
  DeviceStream& operator=(const DeviceStream&) = delete;

  // The rest of canceled jobs that is kept. A job that is canceled sends only
  // what its encoder has made from a band of rows, which is less for all papers
  // and languages.
  static constexpr size_t kMostRest = size_t{1} << 20;

  // Waits until the printer has taken all bytes, or the job is canceled. In the
  // latter case the rest is kept, and is sent before more data, so that the
  // printer never gets half a row. If it is more than kMostRest, the printer
  // gets nothing more. False if the device fails.
  bool Send(std::string_view bytes, const std::function<bool()>& is_canceled);

  // Before the next job: waits until the printer has taken the rest or ends the
  // connection, or the next job is canceled, too.
  void SendRest(const std::function<bool()>& is_canceled);

  // Whether the job, unless it is canceled, is sent: true once the kernel has
  // all bytes, has sent all but the held one, and would finish the job if this
  // process ended; false if the printer then acknowledges nothing, as if it
  // were switched off.
  using Tell = std::function<void(bool is_sent)>;
  // Sends the last bytes of the job, and waits until all bytes have reached the
  // printer, or the job is canceled. False if the printer ends the connection
  // before. The last byte of `last` is held until `tell` has returned, so a job
  // that the printer has as a whole counts as sent.
  bool Drain(
      const std::function<bool()>& is_canceled, const Tell& tell = [](bool) {},
      std::string_view last = {});

  // The user whose job it is for from now on. Until it is handed over, the end
  // of the process drops what is on its way: the job is printed again.
  void BeginJobOf(UserShares::User user);

  // Connects again. Null: the job is canceled.
  using Reopen = std::function<std::unique_ptr<DeviceStream>()>;
  // For a new connection, until another job uses it. Many printers that serve
  // another computer accept connections and close them at once. Nothing is sent
  // until the connection has lasted a moment. If the printer has closed its
  // direction then, only trying shows whether it reads: it gets the first byte,
  // which is sent again over another connection unless this one lasts.
  void ReopenBy(Reopen reopen);

  // Whether closing it tells the printer.
  bool is_connection() const { return is_socket_ && !program_; }
  // Whether there is anything left to send, also by the program.
  bool has_rest() const {
    return !rest_.empty() || (program_ && handed_on_ < sent_);
  }

 private:
  enum class Step : uint8_t { kDone, kFailed, kCanceled };
  // Removes what the printer has taken from the beginning of `bytes`.
  Step Write(std::string_view& bytes, const std::function<bool()>& is_canceled);
  Step WaitForProgram(const std::function<bool()>& is_canceled);
  // Whether the printer has closed the connection, or its direction.
  bool IsGone() const;
  // Whether the connection no longer ends at once.
  bool IsOld() const;
  // False: it has ended, or may still end at once.
  bool HasLasted() const;
  // False: the job is canceled.
  bool Reconnect();
  // Connects until a connection lasts, or the job is canceled. Removes the
  // first byte if the printer has got it.
  void AwaitLasting(std::string_view& bytes,
                    const std::function<bool()>& is_canceled);
  // Waits until the kernel has sent all bytes. False if the printer ends the
  // connection before.
  bool HandOver(const std::function<bool()>& is_canceled);
  // Reads and drops the printer's messages: closing a connection with unread
  // bytes loses the bytes that are on their way to the printer. A printer that
  // says more than kMostWords is no longer listened to.
  void DropWords();
  void DropAtEndOfProcess(bool drops) const;
  void SetOfTcp(int option, int value) const;

  Descriptor printer_;
  Descriptor acknowledgements_;
  std::optional<Child> program_;
  bool is_socket_;
  bool listens_;  // to a printer, which may speak
  uint64_t heard_ = 0;
  UserShares::User user_;
  bool is_broken_ = false;  // the connection
  uint64_t sent_ = 0;
  uint64_t handed_on_ = 0;  // by the program
  std::string rest_;        // that the printer is still to get
  bool is_cut_ = false;     // because the rest was too long, or incomplete

  Reopen reopen_;  // until the connection has lasted
  std::chrono::steady_clock::time_point opened_;
};

}  // namespace halftoned
