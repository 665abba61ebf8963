import { findNatsBinaries, INSTALL_HINT, type NatsBinary } from './nats-server';

/** The oldest supported one, which Debian packages, and the newest. */
const SERVERS_IN_CI = 2;

/**
 * One block of tests for each NATS server on this machine. Where there is none it is reported as skipped, with what to do;
 * in continuous integration a missing server is a failure.
 */
export function describeWithNats(name: string, block: (binary: NatsBinary) => void): void {
  const binaries = findNatsBinaries();
  for (const binary of binaries) describe(`${name} with nats-server ${binary.version}`, () => block(binary));
  if (process.env['CI'] === 'true') {
    test(`${name} is tested with ${SERVERS_IN_CI} versions of nats-server`, () => {
      const versions = binaries.map(({ version }) => version);
      if (versions.length < SERVERS_IN_CI) throw new Error(`Found versions [${versions.join(', ')}]: ${INSTALL_HINT}.`);
    });
  } else if (binaries.length === 0) reportSkipped(name);
}

/** Once, with the newest of them: for what this service decides, whichever server it talks to. */
export function describeWithNewestNats(name: string, block: (binary: NatsBinary) => void): void {
  const [newest] = findNatsBinaries().toSorted(({ version: a }, { version: b }) =>
    b.localeCompare(a, 'en', { numeric: true }),
  );
  if (newest !== undefined) describe(name, () => block(newest));
  else if (process.env['CI'] === 'true') test(name, () => Promise.reject(new Error(`${INSTALL_HINT}.`)));
  else reportSkipped(name);
}

function reportSkipped(name: string): void {
  describe.skip(`${name}: ${INSTALL_HINT}`, () => test('with a nats-server', () => undefined));
}
