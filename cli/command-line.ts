import { CommanderError } from 'commander';
import { EXIT } from './exit-codes';
import { createProgram } from './program';
import type { Host } from './session';

/** Runs the command that the words after `osce` name, and tells the host the exit code. */
export async function runCommandLine(words: readonly string[], host: Host): Promise<void> {
  try {
    const program = await createProgram(host, words);
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed the help, the version or what is wrong with the arguments.
    host.endWith(error.exitCode === 0 ? EXIT.passed : EXIT.harnessFailed);
  }
}
