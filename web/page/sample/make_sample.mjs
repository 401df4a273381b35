// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the sample as PPM. sample.jpg is that file, saved by Pillow with quality=90,
// subsampling=0 and optimize=True.

import { HEIGHT, WIDTH, drawRows } from './scene.mjs';

const rgba = new Uint8ClampedArray(WIDTH * HEIGHT * 4);
drawRows(rgba, 0, HEIGHT);
const rgb = new Uint8Array(WIDTH * HEIGHT * 3);
for (let i = 0; i < WIDTH * HEIGHT; ++i) rgb.set(rgba.subarray(4 * i, 4 * i + 3), 3 * i);
process.stdout.write(`P6\n${WIDTH} ${HEIGHT}\n255\n`);
process.stdout.write(rgb);
