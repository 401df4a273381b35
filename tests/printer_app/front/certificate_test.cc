// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/certificate.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "printer_app/front/client/client.h"
#include "printer_app/front/client/listeners.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;
using Http = std::unique_ptr<http_t, CloseHttp>;

class CertificateTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "certificate.XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    auto listeners = ListenAtHost("127.0.0.1", port_);
    ASSERT_TRUE(listeners.ok());
    listener_ = std::move(listeners->front());
    Restart();
  }
  void TearDown() override { fs::remove_all(folder_); }

  void Restart() {
    certificate_ =
        std::make_unique<Certificate>("printers", folder_, log_, folder_);
  }
  std::string File(const std::string& end) const {
    std::ifstream file(folder_ + "/printers." + end);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // Whether client and server agree on a connection.
  bool Encrypts() {
    bool is_encrypted = false;
    std::thread client([&] {
      const Http http(httpConnect2("127.0.0.1", port_, nullptr, AF_INET,
                                   HTTP_ENCRYPTION_ALWAYS, 1, 30000, nullptr));
      is_encrypted = http && httpIsEncrypted(http.get());
    });
    Http http;
    while (!http) http.reset(httpAcceptConnection(listener_.get(), 1));
    const bool is_done = certificate_->Encrypt(http.get());
    http.reset();
    client.join();
    return is_done && is_encrypted;
  }

  std::string folder_;
  int port_ = 0;
  Descriptor listener_;
  FrontLog log_{"", FrontLog::kInfo};
  std::unique_ptr<Certificate> certificate_;
};

TEST_F(CertificateTest, ClientsAtTheSameTimeGetOneThatWorks) {
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([this] { EXPECT_TRUE(Encrypts()); });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_TRUE(Encrypts());
}

TEST_F(CertificateTest, IsKept) {
  EXPECT_TRUE(Encrypts());
  const std::string before = File("crt");
  EXPECT_FALSE(before.empty());
  Restart();
  EXPECT_TRUE(Encrypts());
  EXPECT_EQ(File("crt"), before);
}

TEST_F(CertificateTest, IsReplacedIfItsKeyIsAnother) {
  EXPECT_TRUE(Encrypts());
  const std::string key = File("key");
  fs::remove(folder_ + "/printers.crt");
  Restart();
  EXPECT_TRUE(Encrypts());
  EXPECT_NE(File("key"), key);
  std::ofstream(folder_ + "/printers.key") << key;
  const std::string certificate = File("crt");
  Restart();
  EXPECT_TRUE(Encrypts());
  EXPECT_EQ(File("key.old"), key);
  EXPECT_EQ(File("crt.old"), certificate);
}

TEST_F(CertificateTest, NoneIsMadeWhereNoFileCanBeWritten) {
  certificate_ = std::make_unique<Certificate>("printers", folder_, log_,
                                               folder_ + "/none");
  EXPECT_FALSE(Encrypts());
  EXPECT_FALSE(Encrypts());
}

}  // namespace
}  // namespace halftoned
