// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Halftoned pages as pixels for a canvas.

// Pixels are written as words, whose bytes are in the order of the machine.
const IS_LITTLE = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

function pixelOf(red, green, blue) {
  return IS_LITTLE ? (0xff << 24 | blue << 16 | green << 8 | red) >>> 0
                   : (red << 24 | green << 16 | blue << 8 | 0xff) >>> 0;
}

function pixelOfColor(color) {
  const rgb = parseInt(color.slice(1), 16);
  return pixelOf(rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff);
}

function unpack({width, height, stride, bitsPerSample, data}, pixels) {
  const perByte = 8 / bitsPerSample;
  const white = (1 << bitsPerSample) - 1;
  const grays = Uint32Array.from({length: white + 1}, (_, sample) => {
    const gray = Math.round(sample * 255 / white);
    return pixelOf(gray, gray, gray);
  });
  for (let row = 0, at = 0; row < height; ++row) {
    for (let column = 0; column < width; ++at) {
      let byte = data[row * stride + Math.floor(column / perByte)];
      const end = Math.min(column + perByte, width);
      for (; column < end; ++column) {
        const shift = 8 - bitsPerSample;
        pixels[row * width + column] = grays[byte >> shift & white];
        byte <<= bitsPerSample;
      }
    }
  }
}

export function rgba(page, which = 'measured') {
  const pixels = new Uint32Array(page.width * page.height);
  if (page.colors) {
    const colors = page.colors.map(color => pixelOfColor(color[which]));
    page.data.forEach((index, at) => {
      pixels[at] = colors[index];
    });
  } else {
    unpack(page, pixels);
  }
  return new Uint8ClampedArray(pixels.buffer);
}
