import { parentPort } from 'node:worker_threads';
import { doTextJob, type RequestOf, type TextJobName } from './text-jobs';

/** What a thread is asked to do, one job at a time. */
export interface TextJob<Name extends TextJobName> {
  readonly name: Name;
  readonly request: RequestOf<Name>;
}

// The program of a thread. An error of a job ends the thread: nothing of it is left for the next one.
parentPort?.on('message', ({ name, request }: TextJob<TextJobName>) => {
  parentPort?.postMessage(doTextJob(name, request));
});
