import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Prometheus' own checker, which scripts/install-test-servers.sh installs; null where it is missing. */
export const PROMTOOL: string | null =
  [join(__dirname, '..', '..', 'artifacts', 'bin', 'promtool'), '/usr/bin/promtool'].find((path) => existsSync(path)) ??
  (process.env['CI'] === 'true' ? 'promtool' : null);

/** A test that needs it; in CI none of them is left out. */
export function withPromtool(name: string, check: () => void): void {
  // Jest's functions are those of the file that is being run, and this module serves several files.
  (PROMTOOL === null ? it.skip : it)(name, check);
}
