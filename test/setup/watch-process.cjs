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

/**
 * Answers, since it was last asked: the longest stretch of the loop without its waits for a processor, and the most processor
 * time of one stretch, in ms; nulls where no system tells. Only the second is without what collectors of garbage, threads of
 * their own, kept it waiting for while they had no processor.
 */
function watchWork() {
  if (!existsSync(SCHEDULING)) return () => ({ work: null, ran: null });
  const look = () => {
    const [ran, waited] = readFileSync(SCHEDULING, 'utf8')
      .split(' ')
      .map((ns) => Number(ns) / 1e6);
    return { at: performance.now(), ran, waited };
  };
  let last = look();
  let longest = { work: 0, ran: 0 };
  setInterval(() => {
    const now = look();
    longest = {
      work: Math.max(longest.work, now.at - last.at - (now.waited - last.waited) - RESOLUTION_MS),
      ran: Math.max(longest.ran, now.ran - last.ran),
    };
    last = now;
  }, RESOLUTION_MS).unref();
  return () => {
    const ended = longest;
    longest = { work: 0, ran: 0 };
    return ended;
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
    const { work, ran } = longestWork();
    const { heapUsed: heap, external } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo().length;
    appendFileSync(
      file,
      `${JSON.stringify({ at: Date.now(), pause, work, ran, heap, external, resources, isCollected })}\n`,
    );
  };
  setInterval(() => note(false), 1_000).unref();
  process.on('SIGUSR2', () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    note(true);
  });
}
