import { spawnSync } from 'node:child_process';

const INSTALL_HINT = 'espeak-ng is missing: run scripts/install-test-servers.sh';

function isInstalled(): boolean {
  return spawnSync('espeak-ng', ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** A block of tests that needs the program. In continuous integration a missing one is a failure; elsewhere the block is reported as skipped. */
export function describeWithEspeak(name: string, block: () => void): void {
  if (isInstalled()) describe(name, block);
  else if (process.env['CI'] === 'true') {
    test(name, () => {
      throw new Error(`${INSTALL_HINT}.`);
    });
  } else describe.skip(`${name}: ${INSTALL_HINT}`, () => test('with espeak-ng', () => undefined));
}
