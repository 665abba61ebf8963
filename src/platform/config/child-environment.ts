/** What a program needs to find its libraries, certificates and modules, and nothing secret. */
const HANDED_ON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'TZ',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'SystemRoot',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
] as const;

/**
 * The environment for a Node program that the service starts beside itself: no key, no database address, no setting of ours.
 * NODE_ENV is `production`, which keeps libraries from logging.
 */
export function childEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const handed: Record<string, string> = { NODE_ENV: 'production' };
  for (const name of HANDED_ON) {
    const value = env[name];
    if (value !== undefined) handed[name] = value;
  }
  return handed;
}
