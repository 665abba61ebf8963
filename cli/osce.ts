#!/usr/bin/env node
import { CommanderError } from 'commander';
import { EXIT } from './exit-codes';
import { createProgram } from './program';
import { Host } from './session';

/** The command `osce`. Its exit codes: exit-codes.ts. */
async function main(): Promise<void> {
  const program = createProgram(new Host(process.env));
  try {
    await program.parseAsync(process.argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed the help, the version or what is wrong with the arguments.
    process.exitCode = error.exitCode === 0 ? EXIT.passed : EXIT.harnessFailed;
  }
}

void main();
