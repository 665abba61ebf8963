/** Why the demonstration cannot go on: one sentence for the person in front of it. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}
