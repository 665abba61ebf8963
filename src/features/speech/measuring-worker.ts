import { parentPort } from 'node:worker_threads';
import { measured, type Measured, type MeasuredInput } from '../../engine/measures';

/** What the thread is asked, and what it answers in the same order. */
export type MeasuringRequest = readonly MeasuredInput[];
export type MeasuringResult = readonly Measured[];

// The program of a thread. An error ends it: nothing of it is left for the next conversations.
parentPort?.on('message', (inputs: MeasuringRequest) => {
  const results: MeasuringResult = inputs.map(measured);
  parentPort?.postMessage(results);
});
