// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command that makes the same dots, for a shell.

const quoted = (word) =>
  (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);

// A file name must not look like an option.
const fileWord = (name) => quoted(name.startsWith('-') ? `./${name}` : name);

// input: {file, millimeters or none}: the file, which is scaled to this width; or a page
// that has the device's pixels. options: as for the engine.
export function commandFor({ device, input, output, options, settings }) {
  const files = `${fileWord(input.file)} ${fileWord(output)}`;
  if (device.palette) return `halftone convert --palette ${device.palette} ${files}`;
  const words = ['halftone convert', `--dpi ${device.dpi}`];
  if (input.millimeters) words.push(`--size ${input.millimeters}mm`);
  for (const { name, key } of settings) {
    if (key in options) words.push(`--${name} ${quoted(String(options[key]))}`);
  }
  const lines = [];
  if (options.toneCurve) {
    const curve = `${device.id}.curve`;
    lines.push(`printf '%s %s\\n' ${options.toneCurve.flat().join(' ')} >${curve}`);
    words.push(`--tone-curve ${curve}`);
  }
  return [...lines, `${words.join(' ')} ${files}`].join('\n');
}
