# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Extracts the halftone options, with their translations, from the PPD file MODEL,
# and writes them to OUT as a C++ string.
set(before "(Open|Close)(UI |UI: |Group: )\\*?|Default|(..|en_GB)\\.(Translation )?")
set(order "OrderDependency: [0-9]+ AnySetup \\*")
file(STRINGS ${MODEL} lines ENCODING UTF-8
  REGEX "^\\*(${before}|${order})?(cupsHalftoneType|halftoned)")
list(FILTER lines EXCLUDE REGEX "^\\*halftonedOutput")
list(JOIN lines "\n" text)
file(WRITE ${OUT} "R\"ppd(${text}\n)ppd\"\n")
