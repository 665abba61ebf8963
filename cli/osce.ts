#!/usr/bin/env node
import { VERSION } from '../src/platform/config/version';

/** The command `osce`. Its exit codes: exit-codes.ts. */
async function main(words: readonly string[]): Promise<void> {
  // CI jobs often print the version first: that need not load every command.
  if (words.length === 1 && ['--version', '-V'].includes(words[0] ?? '')) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  const [{ runCommandLine }, { Host }] = await Promise.all([import('./command-line.js'), import('./session.js')]);
  await runCommandLine(words, new Host(process.env, process));
}

void main(process.argv.slice(2));
