// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the page says about what it shows.

const ORIGINAL = ['Original', 'Your picture in gray, scaled in linear light to the dots of ' +
    'the printer. halftoned and the other methods start from these pixels.'];

const FOR_LASERS = [
  ORIGINAL,
  ['halftoned', 'The engine of the programs, compiled for the browser: the same bits. ' +
      'By default it corrects tones for a typical laser, as print jobs do.'],
  ['Ghostscript’s screen', 'The default threshold screen of Ghostscript 10 at this ' +
      'resolution, with its default transfer function: the bits that gs writes with ' +
      '-sDEVICE=pbmraw.'],
  ['Floyd–Steinberg', 'Classic error diffusion, left to right, without any correction for ' +
      'the printer, as in most programs.'],
  ['Simulated print', 'A model of a laser printer: its beam, the uneven spacing of its ' +
      'lines, toner, and the light that paper scatters below the dots. The model is that ' +
      'of our measurements. Our halftone types were tuned on “office” and “worn”, ' +
      'and judged on “broad” and “crisp”. Your printer differs.'],
  ['The page', 'Each pixel of your screen shows the mean light of the dots that it covers, ' +
      'as an eye does at reading distance.'],
];

const FOR_LABELS = [
  ORIGINAL,
  ['halftoned', 'The engine of the programs, compiled for the browser: the same bits. ' +
      'By default it corrects tones for the dot gain of a typical thermal printer.'],
  ...FOR_LASERS.slice(2, 4),
  ['Simulated print', 'Round dots with soft edges, a little larger than their pitch, whose ' +
      'densities add. Your printer differs.'],
  FOR_LASERS[5],
];

const FOR_PANELS = [
  ['Original', 'Your picture, scaled in linear light and cropped to the panel.'],
  ['halftoned', 'The engine of the programs, compiled for the browser: the same indices. ' +
      'Colors are those measured on a panel. Black and white of the picture become those ' +
      'of the panel.'],
  ['Nearest color', 'Each pixel alone, in the color of the panel that is nearest in sRGB.'],
  ['Floyd–Steinberg', 'Classic error diffusion in sRGB with the same measured colors, left ' +
      'to right, without any adaptation to the panel.'],
  ['Saved dots', 'The saved file has the colors that the driver of the panel expects, which ' +
      'differ from the colors that the panel shows.'],
];

export const notesFor = (device) =>
  device.palette ? FOR_PANELS : device.technology === 'laser' ? FOR_LASERS : FOR_LABELS;
