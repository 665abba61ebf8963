import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CommandFailure } from '../failure';

/** Creates the folder of a file and checks that it is writable: before a long run, not after it. @throws CommandFailure */
export async function prepareFile(path: string): Promise<void> {
  try {
    await makeFolder(dirname(resolve(path)));
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Creates folders level by level: with `recursive`, Node 20 tries forever where a file system refuses new folders, as below /proc. */
async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  // Another process may have created it since: several jobs write into one folder.
  await mkdir(path).catch(async (error: unknown) => {
    if (!(await isFolder(path))) throw error;
  });
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Writes the chunks to a file that appears whole or not at all. @throws CommandFailure, what `chunks` throws */
export async function saveFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  await prepareFile(path);
  const temporary = `${path}.${randomBytes(4).toString('hex')}.part`;
  const file = await open(temporary, 'wx').catch((error: unknown) => {
    throw unwritable(path, error);
  });
  try {
    try {
      for await (const chunk of chunks) {
        await file.write(chunk).catch((error: unknown) => {
          throw unwritable(path, error);
        });
      }
    } finally {
      await file.close();
    }
    await rename(temporary, path).catch((error: unknown) => {
      throw unwritable(path, error);
    });
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function unwritable(path: string, error: unknown): CommandFailure {
  const reason = error instanceof Error ? error.message : 'unknown';
  return new CommandFailure(`${path} cannot be written: ${reason}`, { cause: error });
}
