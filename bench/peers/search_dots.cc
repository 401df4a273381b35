// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   search_dots SIDE < IN > OUT
//
// Plain direct binary search, which ceiling.py runs: visits the dots of a
// square page in raster order, and toggles a dot or swaps it with one of its
// eight neighbors, whichever makes the square of what is seen of the error
// smallest, until no dot changes. It is slow, and no printer's program.
//
// IN: SIDE x SIDE dots, bytes of 0 or 1, and as many floats twice: the kernel,
// how much two errors together count that are so many rows and columns apart;
// and the sums of the errors around each dot by the kernel. OUT: the dots. The
// page goes on at its opposite edge, as it does for a Fourier transform, and
// the kernel reaches all of it.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

class Search {
 public:
  explicit Search(int side)
      : side_(side),
        dots_(static_cast<size_t>(side) * static_cast<size_t>(side)),
        kernel_(dots_.size()),
        sums_(dots_.size()),
        twice_(2 * dots_.size()) {}

  bool Read() {
    return Fill(dots_) && Fill(kernel_) && Fill(sums_) &&
           std::fgetc(stdin) == EOF;
  }
  bool Write() const {
    return std::fwrite(dots_.data(), 1, dots_.size(), stdout) == dots_.size() &&
           std::fflush(stdout) == 0;
  }

  void Run() {
    for (int i = 0; i < side_; ++i) {
      for (int j = 0; j < 2 * side_; ++j) {
        twice_[static_cast<size_t>(2 * i * side_ + j)] =
            kernel_[At(i, j % side_)];
      }
    }
    while (Sweep() > 0) {
    }
  }

 private:
  struct Step {
    int down;
    int right;
  };

  template <typename T>
  static bool Fill(std::vector<T>& values) {
    return std::fread(values.data(), sizeof(T), values.size(), stdin) ==
           values.size();
  }

  int Wrapped(int at) const { return (at + side_) % side_; }
  size_t At(int i, int j) const { return static_cast<size_t>(i * side_ + j); }
  bool DotAt(int i, int j) const { return dots_[At(i, j)] != 0; }
  float KernelAt(Step step) const {
    return kernel_[At(Wrapped(step.down), Wrapped(step.right))];
  }

  void Add(int i, int j, float error) {
    for (int row = 0; row < side_; ++row) {
      const float* const kernel = &twice_[static_cast<size_t>(
          2 * Wrapped(row - i) * side_ + side_ - j)];
      float* const sums = &sums_[At(row, 0)];
      for (int k = 0; k < side_; ++k) sums[k] += kernel[k] * error;
    }
  }

  int Sweep() {
    int changes = 0;
    for (int i = 0; i < side_; ++i) {
      for (int j = 0; j < side_; ++j) changes += Change(i, j) ? 1 : 0;
    }
    return changes;
  }

  // Half of what the sum of squares changes by, divided by 255.
  float OfToggle(int i, int j) const {
    const float sum = sums_[At(i, j)];
    return 127.5F * KernelAt({0, 0}) + (DotAt(i, j) ? -sum : sum);
  }
  float OfSwap(int i, int j, Step step) const {
    const float apart =
        sums_[At(i, j)] -
        sums_[At(Wrapped(i + step.down), Wrapped(j + step.right))];
    return 255 * (KernelAt({0, 0}) - KernelAt(step)) +
           (DotAt(i, j) ? -apart : apart);
  }

  bool Change(int i, int j) {
    // Less would be rounding, and might go on for ever.
    float least = -1e-3F * KernelAt({0, 0});
    Step best = {0, 0};
    bool is_better = false;
    for (int down = -1; down <= 1; ++down) {
      for (int right = -1; right <= 1; ++right) {
        const Step step = {down, right};
        const bool is_toggle = down == 0 && right == 0;
        if (!is_toggle &&
            DotAt(Wrapped(i + down), Wrapped(j + right)) == DotAt(i, j)) {
          continue;
        }
        const float change = is_toggle ? OfToggle(i, j) : OfSwap(i, j, step);
        if (change >= least) continue;
        least = change;
        best = step;
        is_better = true;
      }
    }
    if (!is_better) return false;
    const bool is_swap = best.down != 0 || best.right != 0;
    if (is_swap) Toggle(Wrapped(i + best.down), Wrapped(j + best.right));
    Toggle(i, j);
    return true;
  }

  void Toggle(int i, int j) {
    Add(i, j, DotAt(i, j) ? -255.F : 255.F);
    dots_[At(i, j)] ^= 1;
  }

  int side_;
  std::vector<uint8_t> dots_;
  std::vector<float> kernel_;
  std::vector<float> sums_;
  std::vector<float> twice_;  // each row of the kernel twice
};

}  // namespace

int main(int argc, char** argv) {
  const int side = argc == 2 ? std::atoi(argv[1]) : 0;
  if (side < 2 || side > 4096) {
    std::fprintf(stderr, "usage: search_dots SIDE < IN > OUT\n");
    return 2;
  }
  Search search(side);
  if (!search.Read()) {
    std::fprintf(stderr, "search_dots: the input is not of this size\n");
    return 1;
  }
  search.Run();
  return search.Write() ? 0 : 1;
}
