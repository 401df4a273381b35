// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for Ghostscript: prints what a command line of it prints, but with
// our dots. One process renders the document, another one speaks the printer's
// language; calls that do not print dots go to Ghostscript as they are.

#pragma once

namespace halftoned {

// The variables by which halftone-rip hands on its arguments.
inline constexpr char kJobVariable[] = "HALFTONED_JOB";
inline constexpr char kUserVariable[] = "HALFTONED_USER";
inline constexpr char kTitleVariable[] = "HALFTONED_TITLE";
inline constexpr char kOptionsVariable[] = "HALFTONED_OPTIONS";

// The main function of the program that is found as gs.
int StandInForGhostscript(int argc, char* argv[]);

}  // namespace halftoned
