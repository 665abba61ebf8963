import { BROWSER_HINT, findTestBrowser } from './browser';

/**
 * A block of tests that need a browser. Where there is none it is reported as skipped, with what to do; in continuous
 * integration a missing browser is a failure.
 */
export function describeWithBrowser(name: string, block: () => void): void {
  if (findTestBrowser() !== null) return describe(name, block);
  if (process.env['CI'] === 'true') {
    test(`${name} is tested in a browser`, () => {
      throw new Error(`The tests cannot run: ${BROWSER_HINT}.`);
    });
    return;
  }
  describe.skip(`${name}: ${BROWSER_HINT}`, () => test('with a browser', () => undefined));
}
