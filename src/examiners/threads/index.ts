/**
 * Reads long texts in worker threads, so that no text from outside holds up the event loop. What the offline rules read, for
 * marking, for the patient’s gate and for the lint, is read here.
 */

export { TextThreads, readerFor, charactersIn, type TextReader } from './text-threads';
export { MOST_PROBLEMS, type QuotedTurn } from './review-quotes';
export { TextJobFailed } from './text-thread';
export { LineFull } from './thread-lines';
