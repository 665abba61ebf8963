import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { childEnvironment } from '../config/environment';

/** Programs are in the form that this module is in: compiled, or TypeScript where a loader for it is set up. */
const EXTENSION = extname(__filename);
/** Texts and sounds as long as the service takes them need about half of it. */
const MEMORY_MB = 512;

/**
 * Starts a program of the service as a thread, which nobody waits for when the service stops and which ends where it takes more than 512 MB.
 * @param folder the folder of the module that starts it
 * @param program its name without extension
 */
export function startThread(folder: string, program: string): Worker {
  const worker = new Worker(join(folder, `${program}${EXTENSION}`), {
    env: threadEnvironment(),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  worker.unref();
  return worker;
}

/** NODE_OPTIONS may hold what only a whole process takes; a thread needs them for the loader of TypeScript alone. */
function threadEnvironment(): Record<string, string> {
  const environment = childEnvironment();
  if (EXTENSION !== '.ts') delete environment['NODE_OPTIONS'];
  return environment;
}
