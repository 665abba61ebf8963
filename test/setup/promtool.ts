import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Prometheus' own checker, which scripts/install-test-servers.sh installs; null where it is missing. */
export const PROMTOOL: string | null =
  [join(__dirname, '..', '..', 'artifacts', 'bin', 'promtool'), '/usr/bin/promtool'].find((path) => existsSync(path)) ??
  (process.env['CI'] === 'true' ? 'promtool' : null);

/** For tests that need it; in CI none of them is left out. */
export const withPromtool = PROMTOOL === null ? it.skip : it;
