// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printers that reply, some of them without an end or in too many levels.

#include "adopt/printer/ipp_printer.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

#include "base/descriptor.h"

namespace halftoned {
namespace {

using namespace std::chrono_literals;

std::string Number(size_t number) {
  return {static_cast<char>(number >> 8), static_cast<char>(number)};
}

// An attribute with a value of this size.
std::string Attribute(char tag, std::string_view name, std::string value) {
  return tag + Number(name.size()) + std::string(name) + Number(value.size()) +
         value;
}

std::string Chunk(const std::string& bytes) {
  char size[20];
  std::snprintf(size, sizeof(size), "%zx\r\n", bytes.size());
  return size + bytes + "\r\n";
}

// The beginning of a reply that reports a model.
std::string Beginning() {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\n"
         "Transfer-Encoding: chunked\r\n\r\n" +
         Chunk(std::string("\2\0\0\0\0\0\0\1\1", 9) +
               Attribute('\x47', "attributes-charset", "utf-8") +
               Attribute('\x48', "attributes-natural-language", "en") + '\4' +
               Attribute('\x41', "printer-make-and-model", "Acme"));
}

// A printer that replies to one request: with the beginning, and then this
// attribute this many times.
class Printer {
 public:
  Printer(const std::string& attribute, size_t times,
          std::chrono::milliseconds pause,
          const std::string& beginning = Beginning()) {
    EXPECT_EQ(bind(listener_.get(), name(), size_), 0);
    EXPECT_EQ(listen(listener_.get(), 1), 0);
    EXPECT_EQ(getsockname(listener_.get(), name(), &size_), 0);
    thread_ = std::thread([this, attribute, times, pause, beginning] {
      const Descriptor client(accept(listener_.get(), nullptr, nullptr));
      Await(client);
      bool is_there = Send(client, beginning);
      for (size_t i = 0; is_there && i < times && !has_to_end_; ++i) {
        is_there = Send(client, Chunk(attribute));
        std::this_thread::sleep_for(pause);
      }
      Send(client, Chunk("\3") + Chunk(""));
      shutdown(client.get(), SHUT_WR);
      while (Await(client)) {
      }
    });
  }
  ~Printer() {
    has_to_end_ = true;
    thread_.join();
  }
  Printer(const Printer&) = delete;
  Printer& operator=(const Printer&) = delete;

  std::string uri() const {
    return "ipp://127.0.0.1:" + std::to_string(ntohs(address_.sin_port)) +
           "/ipp/print";
  }

 private:
  static bool Await(const Descriptor& client) {
    char bytes[4096];
    return recv(client.get(), bytes, sizeof(bytes), 0) > 0;
  }
  static bool Send(const Descriptor& client, const std::string& bytes) {
    return send(client.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  sockaddr* name() { return reinterpret_cast<sockaddr*>(&address_); }

  sockaddr_in address_ = {.sin_family = AF_INET,
                          .sin_port = 0,
                          .sin_addr = {htonl(INADDR_LOOPBACK)},
                          .sin_zero = {}};
  socklen_t size_ = sizeof(address_);
  const Descriptor listener_{socket(AF_INET, SOCK_STREAM, 0)};
  std::atomic<bool> has_to_end_ = false;
  std::thread thread_;
};

TEST(IppPrinter, Replies) {
  const Printer printer(Attribute('\x44', "sides-default", "one-sided"), 1,
                        0ms);
  const auto facts = AskPrinter(printer.uri());
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  EXPECT_EQ(facts->make_and_model, "Acme");
  EXPECT_EQ(facts->default_sides, "one-sided");
}

TEST(IppPrinter, WhoseReplyIsTooLong) {
  const std::string kilobyte(1000, 'x');
  const Printer printer(Attribute('\x41', "more", kilobyte), 60'000, 0ms);
  const auto facts = AskPrinter(printer.uri());
  ASSERT_FALSE(facts.ok());
  EXPECT_NE(facts.error().message.find("longer than 4 MiB"), std::string::npos)
      << facts.error().message;
}

TEST(IppPrinter, WhoseReplyHasNoEnd) {
  const Printer printer(Attribute('\x41', "more", "x"), SIZE_MAX, 20ms);
  const auto facts = AskPrinter(printer.uri(), 200ms);
  ASSERT_FALSE(facts.ok());
  EXPECT_NE(facts.error().message.find("takes too long"), std::string::npos)
      << facts.error().message;
}

// A collection in a collection, and so on.
std::string Nested(int depth) {
  const std::string begin = Attribute('\x34', "", "");
  std::string nested = Attribute('\x34', "media-col", "");
  for (int i = 1; i < depth; ++i) {
    nested += Attribute('\x4a', "", "member") + begin;
  }
  for (int i = 0; i < depth; ++i) nested += Attribute('\x37', "", "");
  return nested;
}

TEST(IppPrinter, WhoseReplyNests) {
  const Printer printer(Nested(8), 100, 0ms);
  const auto facts = AskPrinter(printer.uri());
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  EXPECT_EQ(facts->make_and_model, "Acme");
}

TEST(IppPrinter, WhoseReplyNestsTooDeep) {
  for (const int depth : {9, 200'000}) {
    const Printer printer(Nested(depth), 1, 0ms);
    const auto facts = AskPrinter(printer.uri());
    ASSERT_FALSE(facts.ok());
    EXPECT_NE(facts.error().message.find("more than 8 levels"),
              std::string::npos)
        << facts.error().message;
  }
}

TEST(IppPrinter, ThatDemandsAPassword) {
  const Printer printer("", 0, 0ms,
                        "HTTP/1.1 401 Unauthorized\r\n"
                        "WWW-Authenticate: Basic realm=\"x\"\r\n"
                        "Transfer-Encoding: chunked\r\n\r\n");
  const auto facts = AskPrinter(printer.uri());
  ASSERT_FALSE(facts.ok());
  EXPECT_NE(facts.error().message.find(
                "demands a password, which halftone does not send"),
            std::string::npos)
      << facts.error().message;
}

}  // namespace
}  // namespace halftoned
