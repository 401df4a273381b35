// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tones that a typical laser prints, for printers that have not been
// measured: the middle one of three simulated lasers
// (bench/tone/laser_model.h).

#pragma once

namespace halftoned {

// The light between black and paper, 0 … 1, where the share `white` of single
// dots is white. It rises with `white`, from 0 to 1. dots_per_inch: above 0.
// has_feedback: the dots have print feedback (print_feedback.h), or form no
// checkerboards anyway.
double LightOfTypicalLaser(double white, double dots_per_inch,
                           bool has_feedback = false);

}  // namespace halftoned
