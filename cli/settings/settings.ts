import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { DEFAULT_URL } from '../connection/address';
import { UsageFailure } from '../failure';
import { findSettingsFile, isFile } from './find-settings';
import { refusalOfCredentials, refusalOfKey } from './key-destination';
import type { Setting } from './setting';
import { readSettingsFile, type SettingsFile } from './settings-file';

/** The settings of a command, taken in this order: its options, the environment, `.env`, `.osce.yaml`. */
export interface Settings {
  readonly url: Setting;
  readonly key: Setting | null;
  readonly agent: Setting | null;
  /** Null when there is none. */
  readonly file: SettingsFile | null;
  /** Why the key is not sent to the address; null when it may be. */
  readonly keyRefusal: string | null;
  /** Why other credentials of the caller's are not sent to the address; null when they may be. @param what begins the sentence, with its verb */
  readonly credentialsRefusal: (what: string) => string | null;
}

export interface GivenSettings {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
}

/** The most characters of `.env`, which should hold a few lines. */
const LARGEST = 256 * 1024;

/** @throws UsageFailure when a file cannot be read or holds what does not belong there */
export async function readSettings(
  given: GivenSettings,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<Settings> {
  const dotEnv = await readDotEnv(join(folder, '.env'));
  const path = await findSettingsFile(folder);
  const file = path === null ? null : await readSettingsFile(path, folder);
  const variable = (name: string): Setting | null =>
    filled(environment[name], name, 'caller') ?? filled(dotEnv[name], `${name} in .env`, 'folder');
  const inFile = (key: 'url' | 'agent'): Setting | null =>
    file === null ? null : filled(file.contents[key], file.placeOf(key), 'repository');
  const url = filled(given.url, '--url', 'caller') ?? variable('OSCE_URL') ?? inFile('url') ?? USUAL_URL;
  const key = filled(given.key, '--key', 'caller') ?? variable('OSCE_API_KEY');
  const trusted = [
    filled(environment[TRUSTED], TRUSTED, 'caller'),
    filled(dotEnv[TRUSTED], `${TRUSTED} in .env`, 'folder'),
  ];
  return {
    url,
    key,
    agent: variable('OSCE_AGENT') ?? inFile('agent'),
    file,
    keyRefusal: key === null ? null : refusalOfKey(key, url, trusted),
    credentialsRefusal: (what) => refusalOfCredentials(what, url, trusted),
  };
}

const TRUSTED = 'OSCE_TRUSTED_ORIGINS';
const USUAL_URL: Setting = { value: DEFAULT_URL, from: 'default', source: 'caller' };

function filled(value: string | undefined, from: string, source: Setting['source']): Setting | null {
  return value === undefined || value.trim() === '' ? null : { value, from, source };
}

/** Reads from `.env`, which other programs use too, only the variables of this command. */
async function readDotEnv(path: string): Promise<Readonly<Record<string, string | undefined>>> {
  if (!(await isFile(path))) return {};
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageFailure(`.env cannot be read: ${error instanceof Error ? error.message : 'unknown'}`);
  });
  if (text.length > LARGEST) throw new UsageFailure('.env is larger than 256 KiB: it holds a few settings only.');
  return Object.fromEntries(Object.entries(parseEnv(text)).filter(([name]) => name.startsWith('OSCE_')));
}
