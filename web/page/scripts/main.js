// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page: connects the form, the work and the views.

import { commandFor } from './command.js';
import { methodsFor } from './devices.js';
import { Form, option } from './form.js';
import { Magnifier } from './magnifier.js';
import { notesFor } from './notes.js';
import { openPicture, openSample } from './picture.js';
import { listenForFiles } from './files.js';
import { Stage } from './stage.js';
import { Work } from './work.js';

const SCREEN_DPI = 96; // of a CSS pixel
const byId = (id) => document.getElementById(id);

let facts;
let picture;
let result; // of the last work
let compared = 'plain'; // the usual method of the device

const work = new Work({
  onProgress: (fraction) => (byId('progress').value = fraction),
  onMade: () => showViews(),
});
const form = new Form(() => start());
const ask = (method, view) => work.view(method, view);
const stage = new Stage(byId('stage'), {
  ask, onLens: () => magnifier.refresh(), onZoom: () => showScale(),
});
const magnifier = new Magnifier(byId('magnifier'), { ask, stage });

// The state, for styles and tests: loading, working, ready or failed.
const setState = (state) => (document.documentElement.dataset.state = state);

function say(text, isError = false) {
  byId('error').textContent = isError ? text : '';
  if (!isError) byId('status').textContent = text;
}

function showViews() {
  stage.refresh();
  magnifier.refresh();
}

const stem = () => (picture.name || 'picture').replace(/\.[^.]*$/, '');

// By default, the page compares with what printers and panels usually get.
function chooseUsual() {
  const usual = form.device.palette ? 'floyd' : 'plain';
  if (usual === compared) return;
  if (stage.sides.left === compared) stage.sides.left = usual;
  compared = usual;
}

function nameMethods() {
  const { device } = form;
  chooseUsual();
  const methods = methodsFor(device, result?.type);
  magnifier.name(methods);
  for (const side of ['left', 'right']) {
    byId(side).replaceChildren(...methods.map(([id, name]) =>
      option(id, name, stage.sides[side] === id)));
  }
  byId('mode-field').hidden = Boolean(device.palette);
  byId('notes').replaceChildren(...notesFor(device).flatMap(([name, text]) => {
    const [term, meaning] = [document.createElement('dt'), document.createElement('dd')];
    term.textContent = name;
    meaning.textContent = text;
    return [term, meaning];
  }));
}

function showScale() {
  const { device } = form;
  const lens = byId('magnification');
  if (device.palette) {
    byId('scale').textContent = `${percent(stage.zoom)} of the panel’s pixels`;
    byId('magnification-of').value = `${lens.value} ×`;
    return;
  }
  const times = (zoom) => (zoom * device.dpi) / SCREEN_DPI;
  const shown = times(stage.zoom);
  byId('scale').textContent = `${shown < 10 ? shown.toFixed(1) : Math.round(shown)} × actual size`;
  byId('magnification-of').value = `${Math.round(times(Number(lens.value)))} ×`;
}

const percent = (part) => `${Math.round(part * 100)} %`;

function describeResult() {
  const { device } = form;
  const { size, seconds } = result;
  const dots = `${size.width} × ${size.height} ${device.palette ? 'pixels' : 'dots'}`;
  const speed = seconds ? `, halftoned in ${Math.ceil(seconds * 1000)} ms` : '';
  const reduced = size.reducedTo
    ? ` This page makes at most 24 megapixels, so the print is only ${size.reducedTo} mm wide.`
    : '';
  return `${dots}${speed}.${reduced}`;
}

function showCommand() {
  const { device } = form;
  const { size, options, isFile } = result;
  const usesFile = isFile && !device.palette;
  const input = usesFile
    ? { file: picture.name, millimeters: size.reducedTo ?? form.width }
    : { file: `${stem()}-page.png` };
  const command = commandFor({
    device, input, output: `${stem()}-dots.png`, options, settings: facts.settings,
  });
  // Words are not divided where lines end.
  byId('command').replaceChildren(...command.split(/([ \n])/).map((text) => {
    if (/^[ \n]$/.test(text)) return text;
    const word = document.createElement('span');
    word.textContent = text;
    return word;
  }));
  byId('save-page').hidden = usesFile;
  byId('save-page').textContent = `Save ${input.file}`;
  byId('save-sample').hidden = !(usesFile && picture.isSample);
  byId('command-note').textContent = usesFile
    ? 'The command makes the same dots, bit for bit, from your file.'
    : `The command makes the same dots, bit for bit, from ${input.file}: your picture, ` +
      'scaled for the device. Save it first.';
}

async function start() {
  if (!picture || !facts) return;
  if (!form.device.palette && form.width === undefined) return;
  setState('working');
  byId('progress').value = 0;
  nameMethods();
  showScale();
  say('Working…');
  const { device, panelSize, width, options, hasCorrection } = form;
  try {
    const made = await work.make(picture, { device, panelSize, width, options, hasCorrection });
    if (!made) return;
    result = made;
    stage.setPage(made.size);
    nameMethods();
    showViews();
    showScale();
    showCommand();
    say(describeResult());
    byId('progress').value = 1;
    setState('ready');
  } catch (error) {
    fail(error);
  }
}

function fail(error) {
  say('');
  say(error.message, true);
  setState('failed');
}

let latest = 0;

// open(): a promise of a picture.
async function take(open) {
  const mine = ++latest;
  setState('loading');
  say('Opening the picture…');
  try {
    const opened = await open();
    if (mine !== latest) return;
    picture?.bitmap?.close();
    picture = opened;
    stage.clear();
    magnifier.clear();
    showPicture();
    await start();
  } catch (error) {
    if (mine === latest) fail(error);
  }
}

function showPicture() {
  byId('file-name').textContent = picture.pages
    ? picture.name : `${picture.name || 'Pasted picture'}, ${picture.width} × ${picture.height}`;
  byId('file-note').textContent = picture.note ?? '';
  byId('pages-field').hidden = !picture.pages;
  if (!picture.pages) return;
  Object.assign(byId('pages'), { max: picture.pages, value: picture.number });
  byId('pages-of').textContent = `of ${picture.pages}`;
}

const takeSample = () => take(async () => ({ ...(await openSample()), isSample: true }));

function saveAs(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function copyCommand() {
  const text = byId('command').textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    getSelection().selectAllChildren(byId('command'));
    document.execCommand('copy');
  }
  byId('copy').textContent = 'Copied';
  say('The command is in the clipboard.');
  setTimeout(() => (byId('copy').textContent = 'Copy'), 2000);
}

function listenToForm() {
  listenForFiles((file) => take(() => openPicture(file, file.name)));
  byId('sample').addEventListener('click', takeSample);
  byId('pages').addEventListener('change', ({ target }) => {
    const { choose } = picture;
    if (target.validity.valid) take(() => choose(Number(target.value)));
  });
  byId('copy').addEventListener('click', copyCommand);
  byId('save-dots').addEventListener('click', async () =>
    saveAs(await work.saveDots(), `${stem()}-dots.png`));
  byId('save-page').addEventListener('click', async () =>
    saveAs(await work.savePage(form.device.dpi), `${stem()}-page.png`));
}

function listenToViews() {
  for (const side of ['left', 'right']) {
    byId(side).addEventListener('change', ({ target }) => {
      stage.sides[side] = target.value;
      stage.refresh();
    });
  }
  for (const input of document.querySelectorAll('[name=mode]')) {
    input.addEventListener('change', () => {
      stage.mode = magnifier.mode = input.value;
      showViews();
    });
  }
  byId('magnification').addEventListener('input', ({ target }) => {
    magnifier.zoom = Number(target.value);
    magnifier.refresh();
    stage.refresh();
    showScale();
  });
  const actual = () => (form.device.palette ? 1 : form.device.dpi / SCREEN_DPI);
  byId('zoom-in').addEventListener('click', () => stage.zoomTo(stage.step / 1.5, stage.lens));
  byId('zoom-out').addEventListener('click', () => stage.zoomBy(1 / 1.5));
  byId('zoom-fit').addEventListener('click', () => stage.fit());
  byId('zoom-actual').addEventListener('click', () => stage.zoomTo(actual(), stage.lens));
}

async function main() {
  setState('loading');
  listenToForm();
  listenToViews();
  nameMethods();
  try {
    facts = await work.facts();
  } catch (error) {
    fail(new Error(`The engine did not start: ${error.message}`));
    return;
  }
  byId('version').textContent = facts.version;
  form.fill(facts);
  await (picture ? start() : takeSample());
}

// For tests: whether all views show what they should.
window.halftonedPage = {
  get isSettled() { return stage.isSettled && magnifier.isSettled; },
  get lens() { return stage.lens; },
};

main();
