// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/client.h"

#include <poll.h>
#include <strings.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/text.h"
#include "printer_app/front/rules/http_head.h"
#include "printer_app/front/rules/texts.h"

namespace halftoned {
namespace {

constexpr int kMostSecondsIdle = 30;
constexpr int kMostSecondsOfHead = 60;
constexpr size_t kMostHeadBytes = 32 << 10;
// The same with TLS, with what libcups reads ahead.
constexpr int64_t kMostHeadRead = 128 << 10;
// libcups writes a value as it is, so fields that it does not know can follow.
// Other sites' pages cannot show our pictures, and ours show no other site.
constexpr char kServer[] = "halftone-printer-app/" HALFTONED_VERSION
                           " IPP/2.0\r\n"
                           "Cross-Origin-Resource-Policy: same-origin\r\n"
                           "Content-Security-Policy: frame-src 'none'";
// With pages. A server that had our port before may have left a service worker
// in the browser; we store nothing there.
constexpr char kClearStorage[] = "\r\nClear-Site-Data: \"storage\"";

constexpr char kTls[] = "TLS/1.2";

bool IsPlain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

// Empty if it is not a path, or if programs could read it in two ways.
std::string DecodePath(std::string_view text) {
  std::string path;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size() || HexDigit(text[i + 1]) < 0 ||
          HexDigit(text[i + 2]) < 0) {
        return "";
      }
      c = static_cast<char>(HexDigit(text[i + 1]) << 4 | HexDigit(text[i + 2]));
      i += 2;
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f || std::strchr("%?#\\", c)) return "";
    path += c;
  }
  return path.starts_with('/') && path.find("/..") == path.npos ? path : "";
}

// Contents of the fields for the body's size before the client's are read. Then
// libcups passes a chunked body on as it is: its own decoder takes 0x1 and +1
// for sizes, and a line that it cannot read for the end of the body.
constexpr char kAsItIs[] = "identity";
constexpr char kNoSize[] = "9223372036854775807";

// Digits only.
bool IsSize(const std::string& text) {
  return !text.empty() && text.size() < sizeof(kNoSize) - 1 &&
         text.find_first_not_of("0123456789") == text.npos;
}

bool IsPage(std::string_view field, std::string_view value) {
  return field == "content-type" &&
         (value.starts_with("text/html") || value.starts_with("text/plain"));
}

}  // namespace

bool FrontClient::ParseTarget(const std::string& target) {
  std::string_view text = target;
  target_host_.clear();
  for (const std::string_view scheme :
       {"http://", "https://", "ipp://", "ipps://"}) {
    if (!text.starts_with(scheme)) continue;
    const std::string_view rest = text.substr(scheme.size());
    const size_t end = std::min(rest.find_first_of("/?"), rest.size());
    target_host_ = rest.substr(0, end);
    if (target_host_.empty()) return false;
    text = end == rest.size() ? "/" : rest.substr(end);
    break;
  }
  if (method_ == HTTP_STATE_OPTIONS && text == "*") text = "/";
  if (!IsPlain(text)) return false;
  const size_t end = std::min(text.find('?'), text.size());
  path_ = DecodePath(text.substr(0, end));
  query_ = text.substr(std::min(end + 1, text.size()));
  return !path_.empty();
}

bool FrontClient::EncryptIfItBegins(Certificate& certificate) {
  if (!BeginRequest()) return false;
  WaitFor(std::min(kMostSecondsIdle, timeout()));
  char first = '\0';
  // First letters of HTTP methods.
  if (recv(httpGetFd(http_.get()), &first, 1, MSG_PEEK) != 1) return false;
  if (first && std::strchr("DGHOPT", first)) return true;
  return BeginTls(certificate);
}

// libcups would also accept TLS 1.0 and 1.1. The server chooses the latest
// version that the client offers in its first message: a record header, then
// the type and size of the message, then the version, which is 1.2 for 1.3 too.
bool FrontClient::BeginTls(Certificate& certificate) {
  WaitFor(std::min(kMostSecondsOfHead, timeout()));
  unsigned char hello[11];
  constexpr unsigned char kHandshake = 22, kClientHello = 1;
  const bool begins = recv(httpGetFd(http_.get()), hello, sizeof(hello),
                           MSG_PEEK | MSG_WAITALL) == ssize_t{sizeof(hello)} &&
                      hello[0] == kHandshake && hello[5] == kClientHello &&
                      hello[9] == 3 && hello[10] >= 3;
  if (!begins || !ReadAtMost(kMostHeadRead) || !StartHandshake()) return false;
  WaitFor(std::min(kMostSecondsOfHead, timeout()));
  const bool is_encrypted = certificate.Encrypt(http_.get());
  EndHandshake();
  ReadWithoutLimit();
  return is_encrypted;
}

bool FrontClient::ReadRequest() {
  if (!BeginRequest()) return false;
  WaitFor(std::min(kMostSecondsIdle, timeout()));
  if (!httpWait(http_.get(), kMostSecondsIdle * 1000)) return false;
  WaitFor(std::min(kMostSecondsOfHead, timeout()));
  // libcups would keep a head of any size.
  if (is_encrypted() && !ReadAtMost(kMostHeadRead)) return false;
  const bool is_clear = HasClearHead();
  httpClearFields(http_.get());
  char target[HTTP_MAX_URI];
  http_state_t state = HTTP_STATE_WAITING;
  while (state == HTTP_STATE_WAITING) {
    state = httpReadRequest(http_.get(), target, sizeof(target));
    if (state == HTTP_STATE_WAITING && !httpWait(http_.get(), 1000) &&
        IsOverdue(Clock::now())) {
      return false;
    }
  }
  method_ = state;
  if (state != HTTP_STATE_OPTIONS && state != HTTP_STATE_HEAD &&
      state != HTTP_STATE_GET && state != HTTP_STATE_POST) {
    if (state != HTTP_STATE_ERROR) RespondStatus(HTTP_STATUS_BAD_REQUEST);
    return false;
  }
  const http_status_t status = ReadHead();
  ReadWithoutLimit();
  keeps_alive_ = httpGetVersion(http_.get()) >= HTTP_VERSION_1_1 &&
                 strcasecmp(Field(HTTP_FIELD_CONNECTION).c_str(), "close") != 0;
  if (status != HTTP_STATUS_OK || !is_clear || !ParseTarget(target)) {
    RespondBad();
    return false;
  }
  return true;
}

// A page at another port of the same host can set cookies for us, too, and so
// make a browser's requests too long. We have no cookies.
void FrontClient::RespondBad() {
  constexpr auto kFieldsTooLarge = static_cast<http_status_t>(431);
  if (!has_many_cookies_) {
    RespondStatus(HTTP_STATUS_BAD_REQUEST);
    return;
  }
  Respond(
      kFieldsTooLarge,
      {{"content-type", "text/plain"}, {"clear-site-data", "\"cookies\""}},
      "The browser sent too many cookies of this site. They are now deleted; "
      "load the page again.\n");
}

// Looks at the head before libcups reads it. With TLS, only libcups sees it.
bool FrontClient::HasClearHead() {
  has_many_cookies_ = false;
  if (is_encrypted()) return true;
  constexpr int kLongestPause = 100;  // milliseconds
  const int connection = httpGetFd(http_.get());
  std::vector<char> room(kMostHeadBytes);
  for (int pause = 0;; pause = std::min(2 * pause + 1, kLongestPause)) {
    pollfd end = {connection, POLLRDHUP, 0};
    const bool has_ended = poll(&end, 1, pause) != 0;
    const ssize_t size =
        recv(connection, room.data(), room.size(), MSG_PEEK | MSG_DONTWAIT);
    const std::string_view bytes(
        room.data(), static_cast<size_t>(std::max(size, ssize_t{})));
    if (const size_t head = SizeOfHead(bytes)) {
      return IsClearHead(bytes.substr(0, head));
    }
    if (has_ended || bytes.size() == room.size() || IsOverdue(Clock::now())) {
      has_many_cookies_ = bytes.size() == room.size() && HasCookies(bytes);
      return false;
    }
  }
}

http_status_t FrontClient::ReadHead() {
  httpSetField(http_.get(), HTTP_FIELD_TRANSFER_ENCODING, kAsItIs);
  httpSetField(http_.get(), HTTP_FIELD_CONTENT_LENGTH, kNoSize);
  http_status_t status = HTTP_STATUS_CONTINUE;
  while (status == HTTP_STATUS_CONTINUE) status = httpUpdate(http_.get());
  for (int i = 0; i < HTTP_FIELD_MAX; ++i) {
    const char* value = httpGetField(http_.get(), static_cast<http_field_t>(i));
    fields_[static_cast<size_t>(i)] = value ? value : "";
  }
  std::string& packing = fields_[HTTP_FIELD_CONTENT_ENCODING];
  packing = LowerCase(packing);
  is_coded_ = !packing.empty() && packing != "identity";
  was_coded_ |= is_coded_;
  const std::string& coding = Field(HTTP_FIELD_TRANSFER_ENCODING);
  const std::string& size = Field(HTTP_FIELD_CONTENT_LENGTH);
  chunks_.reset();
  if (coding != kAsItIs) {
    has_clear_size_ = method_ == HTTP_STATE_POST && size == kNoSize &&
                      !strcasecmp(coding.c_str(),
                                  (kAsItIs + std::string(", chunked")).c_str());
    chunks_.emplace();
  } else if (method_ == HTTP_STATE_POST) {
    has_clear_size_ = IsSize(size);
  } else {
    has_clear_size_ = size == kNoSize || size == "0";
  }
  return status;
}

std::string FrontClient::address() const {
  char text[256] = "";
  httpAddrString(httpGetAddress(http_.get()), text, sizeof(text));
  return text;
}

bool FrontClient::Encrypt(Certificate& certificate) {
  // Bytes received before TLS would be taken for encrypted ones.
  if (httpGetReady(http_.get()) > 0) return false;
  httpClearFields(http_.get());
  httpSetField(http_.get(), HTTP_FIELD_CONNECTION, "Upgrade");
  httpSetField(http_.get(), HTTP_FIELD_UPGRADE, kTls);
  return httpWriteResponse(http_.get(), HTTP_STATUS_SWITCHING_PROTOCOLS) == 0 &&
         BeginTls(certificate);
}

// libcups knows only lower case; it decodes once it is told so.
void FrontClient::Decode() {
  if (method_ != HTTP_STATE_POST) return;
  httpSetField(http_.get(), HTTP_FIELD_CONTENT_ENCODING,
               Field(HTTP_FIELD_CONTENT_ENCODING).c_str());
}

bool FrontClient::Continue() {
  const http_status_t expected = httpGetExpect(http_.get());
  if (expected == HTTP_STATUS_NONE || method_ != HTTP_STATE_POST) return true;
  if (expected != HTTP_STATUS_CONTINUE) {
    RespondStatus(HTTP_STATUS_EXPECTATION_FAILED);
    return false;
  }
  return httpWriteResponse(http_.get(), HTTP_STATUS_CONTINUE) == 0;
}

bool FrontClient::Begin(http_status_t status, const HttpFields& fields,
                        size_t length) {
  WaitForSilence();
  StartAnswer();
  // The next request must wait for this answer: HasClearHead cannot see what
  // libcups has read already.
  if (httpGetReady(http_.get()) > 0) keeps_alive_ = false;
  if (!keeps_alive_) httpSetKeepAlive(http_.get(), HTTP_KEEPALIVE_OFF);
  httpClearFields(http_.get());
  httpClearCookie(http_.get());
  std::string server = kServer;
  if (status == HTTP_STATUS_UPGRADE_REQUIRED) {
    httpSetField(http_.get(), HTTP_FIELD_UPGRADE, kTls);
  }
  for (const auto& [name, value] : fields) {
    if (value.empty() || value.find_first_of("\r\n") != value.npos) continue;
    if (IsPage(name, value)) server += kClearStorage;
    if (const http_field_t field = httpFieldValue(name.c_str());
        field != HTTP_FIELD_UNKNOWN) {
      httpSetField(http_.get(), field, value.c_str());
    } else {
      server += "\r\n" + name + ": " + value;
    }
  }
  httpSetField(http_.get(), HTTP_FIELD_SERVER, server.c_str());
  httpSetField(http_.get(), HTTP_FIELD_ACCEPT_ENCODING, "gzip, identity");
  if (method_ == HTTP_STATE_OPTIONS) {
    // libcups has no last chunk for these.
    httpSetField(http_.get(), HTTP_FIELD_CONTENT_LENGTH, "0");
  } else {
    httpSetLength(http_.get(), length);
  }
  return httpWriteResponse(http_.get(), status) == 0;
}

bool FrontClient::Respond(http_status_t status, const HttpFields& fields,
                          std::string_view body) {
  const AnswerRoom::Place place(answers_, *this, SiteOf(caller.network),
                                body.size());
  if (!Begin(status, fields, body.size())) return false;
  // Without a body there is a last chunk.
  if (httpGetState(http_.get()) != HTTP_STATE_WAITING && !WriteBody(body)) {
    return false;
  }
  return httpFlushWrite(http_.get()) >= 0 && keeps_alive_;
}

bool FrontClient::WriteBody(std::string_view body) {
  constexpr size_t kPart = 64 << 10;
  do {
    const std::string_view part = body.substr(0, kPart);
    if (httpWrite2(http_.get(), part.empty() ? "" : part.data(), part.size()) <
        0) {
      return false;
    }
    GiveMore();
    body.remove_prefix(part.size());
  } while (!body.empty());
  return true;
}

bool FrontClient::RespondStatus(http_status_t status) {
  HttpFields fields = {{"content-type", "text/plain"}};
  if (status == HTTP_STATUS_UNAUTHORIZED) {
    fields.emplace_back("www-authenticate",
                        "Basic realm=\"halftone-printer-app\"");
  }
  return Respond(status, fields,
                 std::to_string(status) + " - " + httpStatus(status) + '\n');
}

void FrontClient::Close() {
  WaitForSilence();
  StartAnswer();
  EndDecoding();
  http_.reset();
}

// If a body is not read to its end, libcups frees its decoder here, and nowhere
// else. It reads what has arrived.
void FrontClient::EndDecoding() {
  if (!was_coded_ || !http_) return;
  Drop();
  httpFlush(http_.get());
}

bool FrontClient::RespondIpp(Ipp answer) {
  const std::string message = WriteIpp(answer.get());
  // It takes several times the memory, and the client may read slowly.
  answer.reset();
  return Respond(HTTP_STATUS_OK, {{"content-type", "application/ipp"}},
                 message);
}

void FrontClient::RespondIppEarly(Ipp answer) {
  keeps_alive_ = false;
  RespondIpp(std::move(answer));
  Linger();
}

}  // namespace halftoned
