// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are chosen, dropped anywhere on the page, or pasted.

// take(file)
export function listenForFiles(take) {
  const input = document.getElementById('file');
  input.addEventListener('change', () => {
    if (input.files.length > 0) take(input.files[0]);
    input.value = '';
  });
  document.addEventListener('paste', (event) => {
    const [file] = event.clipboardData.files;
    if (!file) return;
    event.preventDefault();
    take(file);
  });
  const { body } = document;
  let depth = 0; // of elements that a file is dragged over
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  document.addEventListener('dragenter', (event) => {
    if (hasFiles(event)) body.classList.toggle('dropping', ++depth > 0);
  });
  document.addEventListener('dragleave', (event) => {
    if (hasFiles(event)) body.classList.toggle('dropping', --depth > 0);
  });
  document.addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    body.classList.remove('dropping');
    const [file] = event.dataTransfer.files;
    if (file) take(file);
  });
}
