/** The database cannot be used; the message is one sentence that says what to do about it. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}
