// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that counts how often it is read and written, and memory that does
// not: what a sequential method is a template over. Registers that stand for
// memory ("register caching") are counted apart; temporaries are not counted.

#ifndef HALFTONED_BENCH_PAPERS_METHODS_COUNTED_H_
#define HALFTONED_BENCH_PAPERS_METHODS_COUNTED_H_

#include <cstddef>
#include <cstdint>

namespace halftoned::papers {

struct Accesses {
  int64_t reads = 0;
  int64_t writes = 0;
};

struct Counts {
  Accesses memory;
  Accesses registers;
};

struct UncountedMemory {
  template <typename T>
  using Array = T*;
  using Register = int;
};

class CountedMemory {
 public:
  // Of the one method that is being counted; reset before it.
  static inline Counts counts;

  template <typename T>
  class Cell {
   public:
    explicit Cell(T& at) : at_(at) {}
    operator T() const {  // NOLINT: a cell reads like what it holds
      ++counts.memory.reads;
      return at_;
    }
    Cell& operator=(T value) {
      ++counts.memory.writes;
      at_ = value;
      return *this;
    }
    Cell& operator+=(T value) { return *this = static_cast<T>(*this + value); }

   private:
    T& at_;
  };

  template <typename T>
  class Array {
   public:
    Array(T* at) : at_(at) {}  // NOLINT: as a pointer is an array
    Cell<T> operator[](ptrdiff_t i) const { return Cell<T>(at_[i]); }

   private:
    T* at_;
  };

  class Register {
   public:
    Register() = default;
    Register(int value) { *this = value; }  // NOLINT: as an int is one
    Register(const Register& other) { *this = other; }
    Register& operator=(const Register& other) {
      return *this = static_cast<int>(other);
    }
    Register& operator=(int value) {
      ++counts.registers.writes;
      value_ = value;
      return *this;
    }
    Register& operator+=(int value) { return *this = *this + value; }
    operator int() const {  // NOLINT: as above
      ++counts.registers.reads;
      return value_;
    }

   private:
    int value_ = 0;
  };
};

}  // namespace halftoned::papers

#endif  // HALFTONED_BENCH_PAPERS_METHODS_COUNTED_H_
