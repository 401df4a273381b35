// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a program's main many times, each in a fork: under a sanitizer a program
// takes much longer to start than a short job. Linked with --wrap=main.
//
// Its standard input is a Unix socket of packets. A request carries the
// descriptors 0, 1 and 2 of the run; a reply is a struct rusage after the
// status that wait4 gave.
//
//   request = number of arguments, NUL, { argument, NUL }, { NAME=VALUE, NUL }

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" int __real_main(int argc, char** argv);

namespace {

constexpr int kServer = 3;  // the socket, out of the way of a run's descriptors
constexpr int kFiles = 3;
constexpr size_t kMostBytes = 192 * 1024;

struct Request {
  std::string text;
  int files[kFiles];
};

struct Reply {
  int status;
  rusage usage;
};

[[noreturn]] void Fail(const char* what) {
  std::perror(what);
  std::_Exit(2);
}

// False at the end of requests.
bool Receive(Request& request) {
  request.text.resize(kMostBytes);
  iovec text{request.text.data(), request.text.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(request.files))];
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  const ssize_t size = ::recvmsg(kServer, &message, MSG_CMSG_CLOEXEC);
  if (size <= 0) return false;
  const cmsghdr* files = CMSG_FIRSTHDR(&message);
  if (!files || files->cmsg_len != CMSG_LEN(sizeof(request.files))) {
    Fail("a request without its descriptors");
  }
  std::memcpy(request.files, CMSG_DATA(files), sizeof(request.files));
  request.text.resize(static_cast<size_t>(size));
  return true;
}

int Run(Request& request) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 0; i < kFiles; ++i) ::dup2(request.files[i], i);
  for (const int file : request.files) ::close(file);
  ::close(kServer);
  std::vector<char*> words;
  for (size_t at = 0; at < request.text.size();
       at += std::strlen(&request.text[at]) + 1) {
    words.push_back(&request.text[at]);
  }
  const int arguments = std::atoi(words[0]);
  words.push_back(nullptr);
  environ = words.data() + 1 + arguments;
  std::vector<char*> argv(words.begin() + 1, words.begin() + 1 + arguments);
  argv.push_back(nullptr);
  return __real_main(arguments, argv.data());
}

}  // namespace

extern "C" int __wrap_main(int, char**) {
  if (::dup2(STDIN_FILENO, kServer) != kServer) Fail("no socket");
  Request request;
  while (Receive(request)) {
    const pid_t child = ::fork();
    if (child < 0) Fail("fork");
    if (child == 0) return Run(request);
    for (const int file : request.files) ::close(file);
    Reply reply{};
    if (::wait4(child, &reply.status, 0, &reply.usage) != child) Fail("wait4");
    if (::send(kServer, &reply, sizeof(reply), MSG_NOSIGNAL) < 0) return 0;
  }
  return 0;
}
