// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/certificate.h"

#include <cups/cups.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/unix_socket.h"
#include "printer_app/front/client/listeners.h"

namespace halftoned {
namespace {

using Clock = std::chrono::steady_clock;

// Each check can make a key, which takes CPU time.
constexpr std::chrono::minutes kBetweenChecks{1};

std::string WithoutLastDot(const std::string& host) {
  return host.ends_with('.') ? host.substr(0, host.size() - 1) : host;
}

const char* OrNull(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

// The directory that libcups uses.
std::string KeysOfLibcups() {
  const char* home = getenv("HOME");
  return home && getuid() != 0 ? std::string(home) + "/.cups/ssl"
                               : "/etc/cups/ssl";
}

bool Exists(const std::string& file) { return access(file.c_str(), F_OK) == 0; }

// path: of both files, without their ends.
void PutAside(const std::string& path) {
  for (const std::string& file : {path + ".crt", path + ".key"}) {
    std::rename(file.c_str(), (file + ".old").c_str());
  }
}

bool Make(const char* keys, const std::string& host) {
  constexpr time_t kLife = time_t{10} * 365 * 86400;
  return cupsMakeServerCredentials(keys, host.c_str(), 0, nullptr,
                                   std::time(nullptr) + kLife) != 0;
}

}  // namespace

Certificate::Certificate(const std::string& host, std::string private_folder,
                         const FrontLog& log, std::string keys)
    : host_(WithoutLastDot(host)),
      private_folder_(std::move(private_folder)),
      log_(log),
      keys_(std::move(keys)) {}

// libcups takes the name of the request. Without one, it would look up the name
// of the connection's own address each time.
void Certificate::UseFor(http_t* http) const {
  httpSetField(http, HTTP_FIELD_HOST, host_.c_str());
}

// libcups reads the files before it reads from the client.
Result<bool> Certificate::Works() const {
  constexpr std::string_view kNoTls = "no TLS";
  const std::string path = private_folder_ + "/tls.sock";
  HALFTONED_TRY_ASSIGN(const Descriptor listener, ListenAtPath(path));
  const Result<Descriptor> client = ConnectTo(path);
  unlink(path.c_str());
  if (!client.ok()) return client.error();
  const std::unique_ptr<http_t, void (*)(http_t*)> http(
      httpAcceptConnection(listener.get(), 1), httpClose);
  if (!http || send(client->get(), kNoTls.data(), kNoTls.size(),
                    MSG_NOSIGNAL) != ssize_t{kNoTls.size()}) {
    return IoError("cannot check the certificate");
  }
  shutdown(client->get(), SHUT_WR);
  UseFor(http.get());
  (void)httpEncryption(http.get(), HTTP_ENCRYPTION_REQUIRED);
  char rest[kNoTls.size()];
  return recv(httpGetFd(http.get()), rest, sizeof(rest),
              MSG_PEEK | MSG_DONTWAIT) < ssize_t{sizeof(rest)};
}

Certificate::State Certificate::Check() {
  cupsSetServerCredentials(OrNull(keys_), host_.c_str(), 0);
  const std::string path =
      (keys_.empty() ? KeysOfLibcups() : keys_) + '/' + host_;
  Result<bool> works = Works();
  // Somebody may be replacing a pair that has worked.
  const bool has_pair = Exists(path + ".crt") && Exists(path + ".key");
  if (works.ok() && !*works && !(has_pair && has_worked_)) {
    if (has_pair) PutAside(path);
    if (Make(OrNull(keys_), host_)) works = Works();
  }
  if (works.ok() && *works) {
    has_worked_ = true;
    return State::kWorks;
  }
  log_.Write(
      FrontLog::kError,
      std::string("TLS: ") +
          (works.ok() ? cupsLastErrorString() : works.error().message.c_str()));
  return State::kFailed;
}

bool Certificate::Encrypt(http_t* http) {
  {
    const std::lock_guard lock(mutex_);
    const bool is_due =
        state_ == State::kUnknown || Clock::now() - checked_ >= kBetweenChecks;
    if (state_ != State::kWorks && is_due) {
      state_ = Check();
      checked_ = Clock::now();
    }
    if (state_ != State::kWorks) return false;
  }
  UseFor(http);
  if (httpEncryption(http, HTTP_ENCRYPTION_REQUIRED) == 0) return true;
  // The files can have changed.
  const std::lock_guard lock(mutex_);
  if (Clock::now() - checked_ >= kBetweenChecks) state_ = State::kUnknown;
  return false;
}

}  // namespace halftoned
