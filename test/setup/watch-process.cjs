// node --require test/setup/watch-process.cjs …: notes once a second what the process is using and how long its event loop
// stood still, in a file of its own below PROCESS_WATCH_FOLDER; on SIGUSR2 it collects garbage first. The service itself has
// no such door. Its worker threads and the programs that it starts are not watched.
const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

const folder = process.env.PROCESS_WATCH_FOLDER;
const RESOLUTION_MS = 5;

if (isMainThread && folder) {
  const file = join(folder, `${process.pid}.jsonl`);
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const note = (isCollected) => {
    const pause = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    delay.reset();
    const { heapUsed: heap, external } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo().length;
    appendFileSync(file, `${JSON.stringify({ at: Date.now(), pause, heap, external, resources, isCollected })}\n`);
  };
  setInterval(() => note(false), 1_000).unref();
  process.on('SIGUSR2', () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    note(true);
  });
}
