// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for Ghostscript: prints what its command line asks for, but with
// our dots. One process renders the document, and another writes the printer's
// language. Calls that do not print dots go to Ghostscript unchanged.

#pragma once

namespace halftoned {

// The variables in which halftone-rip passes on its arguments.
inline constexpr char kJobVariable[] = "HALFTONED_JOB";
inline constexpr char kUserVariable[] = "HALFTONED_USER";
inline constexpr char kTitleVariable[] = "HALFTONED_TITLE";
inline constexpr char kOptionsVariable[] = "HALFTONED_OPTIONS";

// The main function of the program that is found as gs.
int StandInForGhostscript(int argc, char* argv[]);

}  // namespace halftoned
