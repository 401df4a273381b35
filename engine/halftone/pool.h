// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads on which the sessions of a process do their work.

#ifndef HALFTONED_HALFTONE_POOL_H_
#define HALFTONED_HALFTONE_POOL_H_

namespace halftoned {

class Pool {
 public:
  static constexpr int kMaxThreads = 256;

  // threads: 1 … kMaxThreads; 0 takes one for each processor.
  explicit Pool(int threads = 0);

  int threads() const { return threads_; }

 private:
  int threads_;
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_POOL_H_
