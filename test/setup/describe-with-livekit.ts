import { hasLiveKitServer, INSTALL_HINT } from './livekit-server';

/**
 * Tests that need a real LiveKit server. Where there is none they are reported as skipped, with what to do; in continuous
 * integration a missing server is a failure.
 */
export function describeWithLiveKit(name: string, block: () => void): void {
  if (hasLiveKitServer()) {
    describe(name, block);
  } else if (process.env['CI'] === 'true') {
    test(`${name} is tested with a LiveKit server`, () => {
      throw new Error(`There is no LiveKit server: ${INSTALL_HINT}.`);
    });
  } else {
    describe.skip(`${name}: ${INSTALL_HINT}`, () => test('with a LiveKit server', () => undefined));
  }
}
