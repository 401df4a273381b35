// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose turn it is: items wait in the line of their job, and jobs take turns,
// so that a job gets no more turns for having more items.

#ifndef HALFTONED_HALFTONE_RUN_TURNS_H_
#define HALFTONED_HALFTONE_RUN_TURNS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <utility>

namespace halftoned {

template <typename T>
class Turns {
 public:
  bool empty() const { return lines_.empty(); }
  size_t jobs() const { return lines_.size(); }

  // job: 0 means a job of its own.
  void Add(uint64_t job, T item) {
    std::list<T> one;
    one.push_back(std::move(item));
    const auto line =
        job == 0 ? lines_.end() : std::ranges::find(lines_, job, &Line::job);
    if (line == lines_.end()) {
      lines_.push_back({job, std::move(one)});
    } else {
      line->items.splice(line->items.end(), one);
    }
  }

  // The item whose turn it is. which: 0 … jobs() - 1; 0 is the job that has
  // waited longest.
  T& Next(size_t which = 0) { return At(which)->items.front(); }
  // Moves that item behind the others of its job, and its job behind the other
  // jobs. Allocates nothing.
  void Rotate(size_t which = 0) {
    const auto line = At(which);
    line->items.splice(line->items.end(), line->items, line->items.begin());
    lines_.splice(lines_.end(), lines_, line);
  }
  // The same, but the item has had its last turn.
  void Drop(size_t which = 0) {
    const auto line = At(which);
    line->items.pop_front();
    if (line->items.empty()) {
      lines_.erase(line);
    } else {
      lines_.splice(lines_.end(), lines_, line);
    }
  }

  // Removes the item, if it waits.
  void Remove(const T& item) {
    for (auto line = lines_.begin(); line != lines_.end(); ++line) {
      if (std::erase(line->items, item) == 0) continue;
      if (line->items.empty()) lines_.erase(line);
      return;
    }
  }

 private:
  struct Line {
    uint64_t job;
    std::list<T> items;  // never empty
  };

  typename std::list<Line>::iterator At(size_t which) {
    return std::next(lines_.begin(), static_cast<ptrdiff_t>(which));
  }

  std::list<Line> lines_;
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_RUN_TURNS_H_
