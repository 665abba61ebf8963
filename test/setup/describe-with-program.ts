import { spawnSync } from 'node:child_process';

/**
 * A block of tests that needs a program, which scripts/install-test-servers.sh installs. Where it is missing the block is reported as
 * skipped, with what to do; in continuous integration that is a failure.
 */
export function describeWithProgram(program: string, name: string, block: () => void): void {
  const hint = `${program} is missing: run scripts/install-test-servers.sh`;
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined) describe(name, block);
  else if (process.env['CI'] === 'true') {
    test(name, () => {
      throw new Error(`${hint}.`);
    });
  } else describe.skip(`${name}: ${hint}`, () => test(`with ${program}`, () => undefined));
}
