const { writeFileSync } = require('node:fs');

// Required by a process before anything else: what it had loaded when it ended stands in the file that NOTE_LOADED_FILES names.
process.on('exit', () => {
  const { NOTE_LOADED_FILES: file } = process.env;
  if (file !== undefined) writeFileSync(file, JSON.stringify(Object.keys(require.cache)));
});
