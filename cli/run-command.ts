import { runCommandLine } from './command-line';
import { Host } from './session';

/** Runs the command that the words after `osce` name, for this process. */
export async function runCommand(words: readonly string[]): Promise<void> {
  await runCommandLine(words, new Host(process.env, process));
}
