#!/usr/bin/env node
import { runCommandLine } from './command-line';
import { Host } from './session';

/** The command `osce`. Its exit codes: exit-codes.ts. */
void runCommandLine(process.argv.slice(2), new Host(process.env, process));
