import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandFailure } from '../failure';

/** Makes the folder of a file and sees that it may be written to: before a long run, not after it. @throws CommandFailure */
export async function prepareFile(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Writes the chunks to a file that is there as a whole or not at all. @throws CommandFailure, what `chunks` throws */
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
