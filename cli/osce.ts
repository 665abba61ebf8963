#!/usr/bin/env node
import { VERSION } from '../src/platform/config/version';

/** The command `osce`. Its exit codes: exit-codes.ts. */
async function main(words: readonly string[]): Promise<void> {
  // CI jobs often print the version first: that need not load every command.
  if (words.length === 1 && ['--version', '-V'].includes(words[0] ?? '')) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  const { runCommand } = await import('./run-command.js');
  await runCommand(words);
}

void main(process.argv.slice(2));
