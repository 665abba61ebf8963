import { writeSync } from 'node:fs';
import { inspect } from 'node:util';

/**
 * Errors that come while no test is run, from a timer or a socket of one that has ended: they would end the process, and with it the files
 * that follow, without a word of the file they come from. Jest itself hears those that come while tests are run.
 */
export class LateErrors {
  private readonly heard: unknown[] = [];

  private constructor() {
    process.on('uncaughtException', (error) => this.heard.push(error));
    process.on('exit', () => {
      const sentences = this.take();
      for (const sentence of sentences) writeSync(2, `\nAfter the last test file: ${sentence}\n`);
      if (sentences.length > 0) process.exitCode = 1;
    });
  }

  /** One for the process: what a file leaves behind may throw when the next one is being run. */
  static ofProcess(): LateErrors {
    return (lateErrors ??= new LateErrors());
  }

  /** A sentence for each since it was asked last. */
  take(): string[] {
    const sentences = this.heard.map(
      (error) => `an error outside of any test, of this file or of one before it: ${inspect(error)}`,
    );
    this.heard.length = 0;
    return sentences;
  }
}

let lateErrors: LateErrors | undefined;
