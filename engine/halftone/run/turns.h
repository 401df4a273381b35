// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whose turn it is. Items wait in the line of their job, and jobs in
// the line of their user. Users take turns, and so do the jobs of a user: a job
// does not get more turns for many items, and a user does not get more for many
// jobs. Jobs are numbers: the upper half is the user's, and a lower half of 0
// means a job of its own.

#pragma once

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
  bool empty() const { return users_.empty(); }
  size_t jobs() const { return jobs_; }

  void Add(uint64_t job, T item) {
    std::list<Line> line;
    line.push_back({job, {}});
    line.front().items.push_back(std::move(item));
    const uint64_t number = job >> 32;
    const auto user = std::ranges::find(users_, number, &User::number);
    if (user == users_.end()) {
      users_.push_back({number, std::move(line)});
    } else if (const auto known = user->Find(job); known != user->lines.end()) {
      known->items.splice(known->items.end(), line.front().items);
      return;
    } else {
      user->lines.splice(user->lines.end(), line);
    }
    ++jobs_;
  }

  // The item whose turn it is. which: 0 … jobs() - 1; 0 is the job whose turn
  // it is, the others follow user by user.
  T& Next(size_t which = 0) { return At(which).line->items.front(); }
  // Moves the same item behind the others of its job, its job behind the others
  // of its user, and its user behind the others. Allocates nothing.
  void Rotate(size_t which = 0) {
    const Place at = At(which);
    std::list<T>& items = at.line->items;
    items.splice(items.end(), items, items.begin());
    Rotate(at);
  }
  // The same, but the item has had its last turn.
  void Drop(size_t which = 0) {
    const Place at = At(which);
    at.line->items.pop_front();
    if (at.line->items.empty()) {
      Erase(at);
    } else {
      Rotate(at);
    }
  }

  // Removes the item, if it waits.
  void Remove(const T& item) {
    for (auto user = users_.begin(); user != users_.end(); ++user) {
      for (auto line = user->lines.begin(); line != user->lines.end(); ++line) {
        if (std::erase(line->items, item) == 0) continue;
        if (line->items.empty()) Erase({user, line});
        return;
      }
    }
  }

 private:
  struct Line {
    uint64_t job;
    std::list<T> items;  // never empty
  };
  struct User {
    auto Find(uint64_t job) {
      const bool is_alone = (job & 0xffffffff) == 0;
      return is_alone ? lines.end() : std::ranges::find(lines, job, &Line::job);
    }

    uint64_t number;
    std::list<Line> lines;  // never empty
  };
  struct Place {
    typename std::list<User>::iterator user;
    typename std::list<Line>::iterator line;
  };

  Place At(size_t which) {
    auto user = users_.begin();
    for (; which >= user->lines.size(); ++user) which -= user->lines.size();
    return {user,
            std::next(user->lines.begin(), static_cast<ptrdiff_t>(which))};
  }

  void Rotate(const Place& at) {
    std::list<Line>& lines = at.user->lines;
    lines.splice(lines.end(), lines, at.line);
    users_.splice(users_.end(), users_, at.user);
  }

  // The line, which is empty.
  void Erase(const Place& at) {
    at.user->lines.erase(at.line);
    --jobs_;
    if (at.user->lines.empty()) {
      users_.erase(at.user);
    } else {
      users_.splice(users_.end(), users_, at.user);
    }
  }

  std::list<User> users_;
  size_t jobs_ = 0;
};

}  // namespace halftoned
