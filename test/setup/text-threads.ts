import { TextThreads } from '../../src/examiners/threads/text-threads';

/** Threads for the tests of one file; they end with it. */
export function openTextThreads(): TextThreads {
  const threads = new TextThreads();
  afterAll(() => threads.onApplicationShutdown());
  return threads;
}
