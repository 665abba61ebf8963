import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isNativeError } from 'node:util/types';
import { SettingsError } from './setting-values';

/** Far more than any key or address, and little enough to be read at once. */
const MOST_BYTES = 64 * 1024;

/** The variable that names a file with the value of this one, as secrets of Docker and Kubernetes are given. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/**
 * The variables with the content of `NAME_FILE` as the value of each secret `NAME` that is given so. An empty value is unset.
 * @throws SettingsError for one that is given twice, and for a file that cannot be used
 */
export function withSecretFiles(variables: NodeJS.ProcessEnv, secrets: ReadonlySet<string>): NodeJS.ProcessEnv {
  const read: NodeJS.ProcessEnv = { ...variables };
  for (const name of secrets) {
    const path = variables[fileVariable(name)]?.trim() ?? '';
    if (path === '') continue;
    if ((variables[name]?.trim() ?? '') !== '') {
      throw new SettingsError(`${name} and ${fileVariable(name)} are both set: keep one of them.`);
    }
    read[name] = contentOf(name, path);
  }
  return read;
}

function contentOf(name: string, path: string): string {
  const refuse = (why: string, cause?: unknown) =>
    new SettingsError(`${fileVariable(name)} names ${path}, which ${why}.`, { cause });
  let bytes: Buffer | null;
  try {
    bytes = beginningOf(path);
  } catch (cause) {
    const code = isNativeError(cause) && 'code' in cause ? String(cause.code) : 'unknown';
    throw refuse(code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`, cause);
  }
  if (bytes === null) throw refuse('is not a file');
  if (bytes.length > MOST_BYTES) throw refuse(`holds more than ${MOST_BYTES / 1024} KiB`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refuse('is not UTF-8 text', cause);
  }
  const value = text.replace(/\r?\n$/, '');
  if (value.trim() === '') throw refuse('is empty');
  return value;
}

/** One byte more than is allowed, at most. Null for what is not a file: reading a pipe might never end. */
function beginningOf(path: string): Buffer | null {
  // Without it, opening a pipe waits until a program writes into it.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) return null;
    const buffer = Buffer.alloc(MOST_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
