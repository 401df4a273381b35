// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form: fills it from the engine's table of settings, and reads it.

import { DEFAULT_DEVICE, DEVICES, LASERS, PANEL_SIZES } from './devices.js';

const DELAY_MS = 250; // after the last change of a number that is being typed

const byId = (id) => document.getElementById(id);
const settings = () => document.querySelectorAll('[data-setting]');

export function option(value, text, isSelected = false) {
  return new Option(text, value, isSelected, isSelected);
}

function fillDevices() {
  const groups = Map.groupBy?.(DEVICES, ({ group }) => group) ?? grouped(DEVICES);
  for (const [name, devices] of groups) {
    const group = document.createElement('optgroup');
    group.label = name;
    group.append(...devices.map(({ id, name: text }) => option(id, text, id === DEFAULT_DEVICE)));
    byId('device').append(group);
  }
  byId('panel').append(...PANEL_SIZES.map((size, i) => option(i, size.join(' × '), i === 0)));
  byId('laser').append(...LASERS.map(([id, text], i) => option(id, text, i === 0)));
}

function grouped(devices) {
  const groups = new Map();
  for (const device of devices) {
    groups.set(device.group, [...(groups.get(device.group) ?? []), device]);
  }
  return groups;
}

function fillTypes(types) {
  const common = document.createElement('optgroup');
  const others = document.createElement('optgroup');
  common.label = 'Halftone types';
  others.label = 'For comparison';
  common.append(option('auto', 'Automatic', true));
  for (const type of types) (type.common ? common : others).append(option(type.name, type.name));
  byId('type').append(common, others);
}

// Ranges, choices and defaults of each setting.
function fillSetting(input, setting) {
  input.title = setting.help;
  if (input.tagName === 'SELECT') {
    const value = input.dataset.value ?? setting.default;
    input.append(...setting.choices.map((name) => option(name, name, name === value)));
  } else if (input.type !== 'checkbox') {
    const most = input.dataset.within ?? setting.max;
    Object.assign(input, { min: Math.max(setting.min, -most), max: Math.min(setting.max, most) });
    input.setAttribute('value', setting.default);
    input.value = setting.default;
  }
}

function showRanges() {
  for (const output of document.querySelectorAll('#controls .range output')) {
    output.value = byId(output.htmlFor.value).value;
  }
}

export class Form {
  #facts;
  #timer;

  // onChange: called when something is chosen.
  constructor(onChange) {
    this.onChange = onChange;
    fillDevices();
    const form = byId('controls');
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', (event) => this.#changed(event.target));
    form.addEventListener('reset', (event) => this.#reset(event));
    this.#arrange();
  }

  // facts: of the engine.
  fill(facts) {
    this.#facts = facts;
    fillTypes(facts.types);
    for (const input of settings()) {
      fillSetting(input, facts.settings.find(({ key }) => key === input.dataset.setting));
    }
    showRanges();
    this.#arrange();
  }

  // Only tones and edges.
  #reset(event) {
    event.preventDefault();
    for (const input of document.querySelectorAll('details [data-setting], #correction')) {
      if (input.type === 'checkbox') input.checked = input.defaultChecked;
      else if (input.tagName === 'SELECT') input.value = input.querySelector('[selected]').value;
      else input.value = input.defaultValue;
    }
    showRanges();
    this.onChange();
  }

  #changed(input) {
    if (input.id === 'file' || input.id === 'pages') return;
    showRanges();
    this.#arrange();
    clearTimeout(this.#timer);
    const isTyped = input.type === 'number' || input.type === 'range';
    this.#timer = setTimeout(() => this.onChange(), isTyped ? DELAY_MS : 0);
  }

  // Shows the fields that the device and the type have.
  #arrange() {
    const device = this.device;
    const type = byId('type').value;
    byId('width-field').hidden = Boolean(device.palette);
    byId('panel-field').hidden = !device.palette;
    byId('laser-field').hidden = device.technology !== 'laser';
    byId('feedback-field').hidden = device.technology !== 'laser';
    byId('dots-group').hidden = Boolean(device.palette);
    for (const field of document.querySelectorAll('[data-for]')) {
      field.hidden = field.dataset.for !== type;
    }
    const help = this.#facts?.types.find(({ name }) => name === type)?.help;
    byId('type-help').textContent = help ? `For ${help}.`
      : 'What suits the printer: fine, or screen for lasers of 1000 dpi or more.';
  }

  get device() {
    const device = DEVICES.find(({ id }) => id === byId('device').value);
    return device.technology === 'laser' ? { ...device, laser: byId('laser').value } : device;
  }

  get panelSize() {
    return PANEL_SIZES[Number(byId('panel').value)];
  }

  // In millimeters, or none while it is not valid.
  get width() {
    const input = byId('width');
    return input.value && input.validity.valid ? Number(input.value) : undefined;
  }

  get hasCorrection() {
    return byId('correction').checked;
  }

  // For the engine: all that differs from its defaults. Invalid numbers are left out.
  get options() {
    const options = {};
    const type = byId('type').value;
    if (type && type !== 'auto') options.type = type;
    for (const input of settings()) {
      const setting = this.#facts.settings.find(({ key }) => key === input.dataset.setting);
      if (input.closest('.field').hidden || !input.validity.valid) continue;
      const value = input.type !== 'checkbox' ? input.value
        : input.checked ? input.dataset.on : setting.default;
      if (value !== '' && value !== setting.default) options[setting.key] = value;
    }
    return options;
  }
}
