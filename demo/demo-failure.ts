/** Why the demonstration cannot continue: one sentence for the person running it. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}

/** The person running the demonstration ended it. */
export class Interruption extends DemoFailure {
  constructor() {
    super('interrupted');
  }
}
