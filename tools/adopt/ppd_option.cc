// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/ppd_option.h"

namespace halftoned {

void PpdOption::AddChoice(const std::string& name, const std::string& words,
                          const std::string& dictionary) {
  const std::string code =
      dictionary.empty() ? "" : "<<" + dictionary + ">>setpagedevice";
  choices += "*" + keyword + " " + name + "/" + words + ": \"" + code + "\"\n";
}

std::string PpdOption::Lines() const {
  return "*OpenUI *" + keyword + "/" + text + ": PickOne\n" +
         "*OrderDependency: " + std::to_string(order) + " AnySetup *" +
         keyword + "\n*Default" + keyword + ": " + usual + "\n" + choices +
         "*CloseUI: *" + keyword + "\n";
}

}  // namespace halftoned
