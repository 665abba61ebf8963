import { join } from 'node:path';
import { readConfigs } from 'jest-config';
import { sourcesInstead } from '../setup/register-typescript.cjs';
import type { Instrumented, SpecRequest } from './messages';
import { SpecRunner } from './spec-runner';

const ROOT = join(__dirname, '..', '..');
/** It keeps what a text says from one test to the next: of all tests only the first would reach the code that reads it. */
const KEEPS_READINGS = join(ROOT, 'src', 'examiners', 'rules', 'read-once.ts');
const READS_ANEW = 'export const readOnce = (read: unknown) => read;';
/** How long what a spec has left open may take to close. */
const GRACE_MS = 5_000;
/** The time limit of a request is the one that counts. */
const TEST_MS = 600_000;

/** A process of its own, which runs specs against instrumented code as it is asked to, one after the other. */
async function prepare({ sources, seed }: Instrumented): Promise<SpecRunner> {
  for (const [path, text] of sources) sourcesInstead.set(path, text);
  sourcesInstead.set(KEEPS_READINGS, READS_ANEW);
  const { globalConfig, configs } = await readConfigs({ _: [], $0: 'mutation', seed, runInBand: true }, [ROOT]);
  const tests = configs.find(({ displayName }) => displayName?.name === 'tests');
  if (tests === undefined) throw new Error('jest.config.cjs has no project called tests.');
  return new SpecRunner(globalConfig, {
    ...tests,
    testTimeout: TEST_MS,
    testEnvironmentOptions: { graceMs: GRACE_MS },
  });
}

let runner: Promise<SpecRunner> | undefined;

process.on('message', (message: Instrumented | SpecRequest) => {
  if ('sources' in message) runner = prepare(message);
  else void runner?.then((ready) => ready.run(message)).then((answer) => process.send?.(answer));
});

// While a spec runs, process.exit is not the process's own.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
