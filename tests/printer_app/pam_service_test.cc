// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/pam_service.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace halftoned {
namespace {

namespace fs = std::filesystem;

TEST(PamService, MustExistUnderItsOwnName) {
  std::string folder = fs::temp_directory_path() / "pam-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string first = folder + "/first", second = folder + "/second";
  for (const std::string& each : {first, second}) fs::create_directory(each);
  std::ofstream(first + "/other") << "auth required pam_deny.so\n";
  std::ofstream(second + "/printers") << "auth required pam_userdb.so\n";
  std::ofstream(first + "/secret") << "auth required pam_permit.so\n";
  fs::permissions(first + "/secret", fs::perms::none);
  fs::create_directory(first + "/folder");
  const char* const folders[] = {first.c_str(), second.c_str()};
  for (const char* name : {"other", "printers", "Printers"}) {
    EXPECT_TRUE(CheckPamService(name, folders).ok()) << name;
  }
  for (const char* name :
       {"printer", "folder", ".", "../second/printers", ""}) {
    EXPECT_FALSE(CheckPamService(name, folders).ok()) << name;
  }
  const bool may_read_all = geteuid() == 0;
  EXPECT_EQ(CheckPamService("secret", folders).ok(), may_read_all);
  EXPECT_EQ(
      CheckPamService("no\nsuch", folders).error().message,
      "auth-service: no PAM service no?such that the server can read in " +
          first + " or " + second);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace halftoned
