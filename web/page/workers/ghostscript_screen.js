// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The default screen of Ghostscript 10, with its default transfer function, as thresholds:
// a pixel is white if its gray is at least the threshold at its place. The numbers were
// measured: they are how many of 256 flat pages are black there, made with
// `gs -sDEVICE=pbmraw -r600`. The dots of pictures are exactly Ghostscript's, which
// tests/web_page compares.

// By least dpi. The screen repeats; its corner is that of the page.
const SCREENS = [
  [1200, [
    [84, 67, 53, 39, 60, 74, 175, 196, 210, 182, 168, 88],
    [102, 46, 18, 11, 25, 144, 203, 231, 238, 224, 186, 105],
    [119, 32, 7, 4, 35, 126, 217, 245, 252, 242, 214, 123],
    [137, 56, 21, 14, 49, 109, 189, 228, 249, 235, 200, 140],
    [151, 70, 28, 42, 63, 91, 172, 193, 221, 207, 179, 154],
    [161, 133, 116, 98, 81, 77, 95, 112, 130, 147, 158, 165],
    [175, 196, 210, 182, 168, 88, 84, 67, 53, 39, 60, 74],
    [203, 231, 238, 224, 186, 105, 102, 46, 18, 11, 25, 144],
    [217, 245, 252, 242, 214, 123, 119, 32, 7, 4, 35, 126],
    [189, 228, 249, 235, 200, 140, 137, 56, 21, 14, 49, 109],
    [172, 193, 221, 207, 179, 154, 151, 70, 28, 42, 63, 91],
    [95, 112, 130, 147, 158, 165, 161, 133, 116, 98, 81, 77],
  ]],
  [300, [
    [58, 88, 120, 154, 163, 128, 96, 65],
    [73, 37, 25, 51, 145, 190, 208, 172],
    [104, 13, 4, 19, 112, 227, 246, 217],
    [137, 44, 8, 31, 80, 181, 236, 199],
    [163, 128, 96, 65, 58, 88, 120, 154],
    [145, 190, 208, 172, 73, 37, 25, 51],
    [112, 227, 246, 217, 104, 13, 4, 19],
    [80, 181, 236, 199, 137, 44, 8, 31],
  ]],
  [0, [
    [61, 7, 26, 222, 190, 74],
    [115, 16, 87, 206, 239, 129],
    [159, 49, 37, 101, 144, 175],
    [222, 190, 74, 61, 7, 26],
    [206, 239, 129, 115, 16, 87],
    [101, 144, 175, 159, 49, 37],
  ]],
];

// The screen for a resolution of the printers on this page.
export const screenFor = (dpi) => SCREENS.find(([least]) => dpi >= least)[1];

// Sets a row of dots: 0 is black, 1 is white.
export function screenRow(screen, gray, y, dots) {
  const thresholds = screen[y % screen.length];
  for (let x = 0; x < gray.length; ++x) {
    dots[x] = gray[x] >= thresholds[x % thresholds.length] ? 1 : 0;
  }
}
