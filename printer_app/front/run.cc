// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/run.h"

#include <cups/cups.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "printer_app/front/client/connections.h"
#include "printer_app/front/pappl/kept_shares.h"
#include "printer_app/front/pappl/pappl_log.h"
#include "printer_app/front/pappl/printer_jobs.h"
#include "printer_app/front/pappl/pulse.h"

namespace halftoned {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLookMilliseconds = 250;
// Without clients: jobs that clients have left can use up the memory, too.
constexpr int kIdleMilliseconds = 5000;
// systemd's hard limit. Some programs that PAPPL starts close each number up to
// the limit, and containers may allow a billion.
constexpr rlim_t kMostFiles = 524288;
// If PAPPL ends more often than this within kTimeOfEnds, the server gives up.
constexpr size_t kMostEnds = 5;
constexpr std::chrono::seconds kTimeOfEnds{60};
// Printing jobs have a minute to end.
constexpr std::chrono::seconds kMostOfStop{65};

Descriptor Signals() {
  sigset_t signals, blocked;
  sigemptyset(&signals);
  for (const int each : {SIGTERM, SIGINT, SIGCHLD}) sigaddset(&signals, each);
  pthread_sigmask(SIG_BLOCK, &signals, &blocked);
  // SIGHUP is blocked unless it is ignored (stop_signal.h).
  if (sigismember(&blocked, SIGHUP)) sigaddset(&signals, SIGHUP);
  return Descriptor(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

// As many as possible, in PAPPL's process too.
void AllowFiles() {
  rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= kMostFiles) return;
  files.rlim_cur = std::min(files.rlim_max, kMostFiles);
  setrlimit(RLIMIT_NOFILE, &files);
}

std::string HowItEnded(int status) {
  return WIFSIGNALED(status)
             ? "by signal " + std::to_string(WTERMSIG(status))
             : "with status " + std::to_string(WEXITSTATUS(status));
}

class Loop {
 public:
  Loop(Front& front, std::vector<Descriptor> listeners, PapplProcess& pappl)
      : front_(front),
        connections_(front),
        listeners_(std::move(listeners)),
        pappl_(pappl),
        pulse_(front.settings.SocketBehind(),
               std::chrono::seconds(front.settings.answer_timeout)) {}

  int Run(const Descriptor& signals) {
    std::vector<pollfd> waits = {{signals.get(), POLLIN, 0}};
    for (const Descriptor& listener : listeners_) {
      waits.push_back({listener.get(), POLLIN, 0});
    }
    std::optional<int> status;
    while (!status) {
      poll(waits.data(), waits.size(), Pause());
      for (size_t i = 1; i < waits.size(); ++i) {
        if (waits[i].revents) connections_.Accept(waits[i].fd);
      }
      connections_.DropOverdue();
      front_.log.Trim();
      front_.log.Report();
      if (waits[0].revents) status = TakeSignals(signals);
      EndIfItIsOfNoUse();
    }
    return *status;
  }

 private:
  int Pause() const {
    const bool is_idle = IsIdle();
    const int pause = static_cast<int>(pulse_.Pause(is_idle).count());
    return std::min(pause, is_idle ? kIdleMilliseconds : kLookMilliseconds);
  }

  bool IsIdle() const { return connections_.empty() && !stop_; }

  // Kills a PAPPL that is of no use. Unless the server is ending, PAPPL is then
  // started again, and prints its remaining jobs.
  void EndIfItIsOfNoUse() {
    std::string why;
    if (stop_ && Clock::now() > *stop_ + kMostOfStop) {
      why = "PAPPL has not ended within a minute";
    } else if (pulse_.IsSilent(Clock::now(), IsIdle())) {
      if (pappl_.WaitsForDisk()) {
        pulse_.Excuse();
        front_.log.Write(FrontLog::kError, "PAPPL waits for a disk.");
        return;
      }
      why = "PAPPL has not answered for " +
            std::to_string(front_.settings.answer_timeout) + " s";
    } else if (pappl_.IsFull()) {
      why = "PAPPL has used up its memory (server-memory)";
    } else {
      return;
    }
    front_.log.Write(FrontLog::kError, why + "; its process is killed.");
    pappl_.Kill();
    pulse_.Reset(Clock::now());
  }

  // Returns the exit status if the server must end.
  std::optional<int> TakeSignals(const Descriptor& signals) {
    signalfd_siginfo signal;
    while (read(signals.get(), &signal, sizeof(signal)) == sizeof(signal)) {
      if (signal.ssi_signo == SIGCHLD) continue;
      if (!stop_) stop_ = Clock::now();
      front_.is_ending = true;
      pappl_.Stop();
    }
    int status = 0;
    if (!pappl_.HasEnded(status)) return std::nullopt;
    if (stop_) {
      return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    }
    front_.log.Write(FrontLog::kError, "PAPPL ended " + HowItEnded(status) +
                                           "; it is started again.");
    const auto now = Clock::now();
    ends_.push_back(now);
    pulse_.Reset(now);
    while (now - ends_.front() > kTimeOfEnds) ends_.pop_front();
    if (ends_.size() > kMostEnds ||
        !pappl_.Start({"-o", std::string(kAfterCrash) + "=true"}).ok()) {
      front_.log.Write(FrontLog::kFatal,
                       "PAPPL keeps ending: the server gives up.");
      return 1;
    }
    return std::nullopt;
  }

  Front& front_;
  Connections connections_;
  const std::vector<Descriptor> listeners_;
  PapplProcess& pappl_;
  PapplPulse pulse_;
  std::optional<Clock::time_point> stop_;  // when it was told to end
  std::deque<Clock::time_point> ends_;
};

// Runs until the process ends.
void CancelOpenJobs(Front& front) {
  front.open_jobs.Watch([&](const OpenJobs::JobKey& job) {
    const PrinterJobs jobs(front.behind, "", "/ipp/print/" + job.printer);
    if (!jobs.Cancel(job.id))
      return;  // somebody has, or its printer is deleted
    front.log.Write(FrontLog::kWarn,
                    "Job " + std::to_string(job.id) + " of " + job.printer +
                        " is canceled: its document did not arrive in time, "
                        "or was refused.",
                    LogLimit::Client{"jobs without documents"});
  });
}

// The port at which other machines can connect; 0: none.
int PortForOthers(const std::vector<Descriptor>& listeners) {
  for (const Descriptor& listener : listeners) {
    sockaddr_storage address = {};
    socklen_t size = sizeof(address);
    if (getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address),
                    &size)) {
      continue;
    }
    if (address.ss_family == AF_INET) {
      const auto& four = reinterpret_cast<const sockaddr_in&>(address);
      if (ntohl(four.sin_addr.s_addr) >> 24 != IN_LOOPBACKNET) {
        return ntohs(four.sin_port);
      }
    }
    if (address.ss_family == AF_INET6) {
      const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
      if (!IN6_IS_ADDR_LOOPBACK(&six.sin6_addr)) return ntohs(six.sin6_port);
    }
  }
  return 0;
}

}  // namespace

int RunFront(FrontSettings settings, std::vector<Descriptor> listeners,
             PapplProcess& pappl, const std::function<void()>& on_start) {
  AllowFiles();
  umask(0077);  // libcups would let everybody read the key of TLS
  const Descriptor signals = Signals();
  // Its thread uses it until the process ends.
  PapplLog& pappl_log =
      *new PapplLog(settings.LogPipe(), settings.log_file, settings.log_level);
  if (const Result<void> done = pappl_log.Open(); !done.ok()) {
    FrontLog(settings.log_file, settings.log_level)
        .Write(FrontLog::kFatal, done.error().message);
    return 1;
  }
  if (!signals.open() || !pappl.Start().ok()) return 1;
  std::thread([&pappl_log] { pappl_log.Run(); }).detach();
  if (!pappl.WaitUntilItListens()) {
    pappl_log.End();
    return 1;
  }
  signal(SIGPIPE, SIG_IGN);
  // Threads of clients use it until the process ends.
  Front& front = *new Front(std::move(settings));
  AddKeptJobs(front.settings.spool, front.shares);
  std::thread([&front] { CancelOpenJobs(front); }).detach();
  if (const int port = PortForOthers(listeners)) {
    front.announcer = new Announcer(front);
    std::thread([&front, port] { front.announcer->Run(port); }).detach();
  }
  Loop& loop = *new Loop(front, std::move(listeners), pappl);
  on_start();
  const int status = loop.Run(signals);
  front.log.ReportAll();
  pappl_log.End();
  _exit(status);
}

}  // namespace halftoned
