import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isCheckout } from './installation';
import type { Environment } from './session';

/** DATA_DIR for a program of the package: from the option, else from the variable, else the default folder of this user. */
export function dataFolderSetting(option: string | undefined, environment: Environment): Record<string, string> {
  const usual = isUnset(environment['DATA_DIR']) && !isCheckout() ? dataFolder(environment) : undefined;
  const folder = option ?? usual;
  return folder === undefined ? {} : { DATA_DIR: folder };
}

/** https://specifications.freedesktop.org/basedir-spec: relative paths are ignored. On macOS it is the folder for application data. */
function dataFolder(environment: Environment): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'agent-osce');
  const given = environment['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(given) ? given : join(homedir(), '.local', 'share'), 'agent-osce');
}

export function isUnset(value: string | undefined): boolean {
  return value === undefined || value.trim() === '';
}
