import { spawnSync } from 'node:child_process';

const INSTALL_HINT = 'SoX is missing: run scripts/install-test-servers.sh';

/** A block of tests that compares with SoX. In continuous integration a missing one is a failure; elsewhere the block is reported as skipped. */
export function describeWithSox(name: string, block: () => void): void {
  if (spawnSync('sox', ['--version'], { stdio: 'ignore' }).error === undefined) describe(name, block);
  else if (process.env['CI'] === 'true') {
    test(name, () => {
      throw new Error(`${INSTALL_HINT}.`);
    });
  } else describe.skip(`${name}: ${INSTALL_HINT}`, () => test('with SoX', () => undefined));
}

/** What SoX writes for an input; without dither, so that each sample is decided. */
export function sox(
  input: Uint8Array,
  from: readonly string[],
  to: readonly string[],
  effects: readonly string[] = [],
): Buffer {
  const { status, stdout, stderr } = spawnSync('sox', ['-D', ...from, '-', ...to, '-', ...effects], {
    input,
    maxBuffer: 50_000_000,
  });
  if (status !== 0) throw new Error(`SoX failed: ${stderr.toString()}`);
  return stdout;
}
