// The thread of watchdog.ts. It counts its own ticks instead of reading a clock: a machine that slept, or that runs nothing of this
// process, does not make a file late.
const { writeSync } = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');

const TICK_MS = 500;
const { beats, pid } = workerData;
let watched = null;
let file = 0;
let still = 0;
let lastBeat = 0;

parentPort.on('message', (next) => {
  watched = next;
  file = 0;
  still = 0;
});

setInterval(() => {
  if (watched === null) return;
  const beat = Atomics.load(beats, 0);
  file += TICK_MS;
  still = beat === lastBeat ? still + TICK_MS : 0;
  lastBeat = beat;
  if (still >= watched.stillMs) end(`its event loop has stood still for ${watched.stillMs / 1000} s`);
  if (file >= watched.fileMs) end(`it has not ended after ${watched.fileMs / 1000} s`);
}, TICK_MS);

function end(reason) {
  writeSync(2, `\nThe process of ${watched.path} is killed: ${reason}.\n`);
  process.kill(pid, 'SIGKILL');
}
