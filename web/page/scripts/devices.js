// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printers and panels to choose from. Printers have a resolution and a technology;
// panels have a palette of the engine. dotGain: what the library corrects on such a
// printer; lasers get the curve of a typical laser instead.

const laser = (dpi) => ({
  id: `laser-${dpi}`, group: 'Laser printers', name: `Laser, ${dpi} dpi`,
  technology: 'laser', dpi,
});
const label = (dpi, dotGain) => ({
  id: `label-${dpi}`, group: 'Label printers', name: `Label printer, ${dpi} dpi`,
  technology: 'thermal', dpi, dotGain,
});
const panel = (palette, name) => ({ id: palette, group: 'E-paper', name, palette });

export const DEVICES = [
  laser(300), laser(600), laser(1200),
  label(203, 5.4), label(300, 8),
  panel('bw', 'Black and white'),
  panel('gray4', '4 grays'),
  panel('gray16', '16 grays'),
  panel('bwr', 'Black, white, red'),
  panel('bwy', 'Black, white, yellow'),
  panel('bwry', 'Black, white, red, yellow'),
  panel('acep7', 'ACeP, 7 colors'),
  panel('spectra6', 'Spectra 6, 6 colors'),
];

export const DEFAULT_DEVICE = 'laser-600';

export const PANEL_SIZES = [[800, 480], [1600, 1200], [640, 400], [400, 300], [296, 128]];

export const LASERS = [
  ['office', 'office: typical'],
  ['broad', 'broad: a wide beam'],
  ['crisp', 'crisp: loses single dots'],
  ['worn', 'worn: blurred and uneven'],
];

// The methods that a page compares. type: of our dots, if it is known. `plain` is the
// usual method of a kind of device.
export function methodsFor(device, type) {
  const ours = type && !device.palette ? `halftoned, ${type}` : 'halftoned';
  const plain = device.palette ? 'Nearest color' : 'Ghostscript’s screen';
  return [
    ['original', 'Original'],
    ['halftoned', ours],
    ['plain', plain],
    ['floyd', 'Floyd–Steinberg'],
  ];
}

export const METHODS = ['original', 'halftoned', 'plain', 'floyd'];
