// node --require test/setup/watch-process.cjs …: notes once a second what the process is using and how long its event loop
// stood still, with and without waiting for a processor, in a file of its own below PROCESS_WATCH_FOLDER; on SIGUSR2 it collects garbage first. The service itself has
// no such door. Its worker threads and the programs that it starts are not watched.
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

const folder = process.env.PROCESS_WATCH_FOLDER;
const RESOLUTION_MS = 5;
/** Of the main thread: how long it ran, and how long it waited for a processor, both in nanoseconds. Linux alone tells. */
const SCHEDULING = '/proc/self/schedstat';

/** Answers the longest time since it was last asked that the loop was at one stretch of work, in ms; null where no system tells. */
function watchWork() {
  if (!existsSync(SCHEDULING)) return () => null;
  const look = () => ({ at: performance.now(), waited: Number(readFileSync(SCHEDULING, 'utf8').split(' ')[1]) / 1e6 });
  let last = look();
  let longest = 0;
  setInterval(() => {
    const now = look();
    longest = Math.max(longest, now.at - last.at - (now.waited - last.waited) - RESOLUTION_MS);
    last = now;
  }, RESOLUTION_MS).unref();
  return () => {
    const told = longest;
    longest = 0;
    return told;
  };
}

if (isMainThread && folder) {
  const file = join(folder, `${process.pid}.jsonl`);
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const longestWork = watchWork();
  const note = (isCollected) => {
    const pause = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    delay.reset();
    const work = longestWork();
    const { heapUsed: heap, external } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo().length;
    appendFileSync(
      file,
      `${JSON.stringify({ at: Date.now(), pause, work, heap, external, resources, isCollected })}\n`,
    );
  };
  setInterval(() => note(false), 1_000).unref();
  process.on('SIGUSR2', () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    note(true);
  });
}
