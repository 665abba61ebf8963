import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { DEFAULT_URL } from '../connection/address';
import { UsageFailure } from '../failure';
import { findSettingsFile, isFile } from './find-settings';
import { readSettingsFile, type SettingsFile } from './settings-file';

/** A setting, and where it is from: an option, a variable, `.env`, a line of the file, or `default`. */
export interface Setting {
  readonly value: string;
  readonly from: string;
}

/** What holds for a command, in this order: its options, the environment, `.env`, `.osce.yaml`. */
export interface Settings {
  readonly url: Setting;
  readonly key: Setting | null;
  readonly agent: Setting | null;
  /** Null when there is none. */
  readonly file: SettingsFile | null;
}

export interface GivenSettings {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
}

/** A few lines are expected. */
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
    filled(environment[name], name) ?? filled(dotEnv[name], `${name} in .env`);
  const inFile = (key: 'url' | 'agent'): Setting | null =>
    file === null ? null : filled(file.contents[key], file.placeOf(key));
  return {
    url: filled(given.url, '--url') ?? variable('OSCE_URL') ?? inFile('url') ?? { value: DEFAULT_URL, from: 'default' },
    key: filled(given.key, '--key') ?? variable('OSCE_API_KEY'),
    agent: variable('OSCE_AGENT') ?? inFile('agent'),
    file,
  };
}

function filled(value: string | undefined, from: string): Setting | null {
  return value === undefined || value.trim() === '' ? null : { value, from };
}

/** Of a file that others write for other programs, only what is meant for this one. */
async function readDotEnv(path: string): Promise<Readonly<Record<string, string | undefined>>> {
  if (!(await isFile(path))) return {};
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageFailure(`.env cannot be read: ${error instanceof Error ? error.message : 'unknown'}`);
  });
  if (text.length > LARGEST) return {};
  return Object.fromEntries(Object.entries(parseEnv(text)).filter(([name]) => name.startsWith('OSCE_')));
}
