// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tells libpappl 1.4 from 1.3, for a program that is loaded with this.

extern "C" bool papplSystemCreatePrinters() { return false; }
