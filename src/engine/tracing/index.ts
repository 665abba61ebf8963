/**
 * Every run as a trace of spans, made of the events that were committed; nothing that executes a run knows of it.
 */

export { TracingModule } from './run-spans';
export { placeOfRun } from './attempt-trace';
