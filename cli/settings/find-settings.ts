import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The name of the settings file. */
const NAMES = ['.osce.yaml', '.osce.yml'] as const;

/**
 * The settings file that holds in a folder: its own, else that of the nearest folder above it, up to the root of the repository.
 * Outside of a repository only the folder itself counts: a file that another user put into /tmp or /home must not apply to it.
 * Null when there is none.
 */
export async function findSettingsFile(folder: string): Promise<string | null> {
  const folders = await foldersUpToRoot(folder);
  for (const one of folders) {
    for (const name of NAMES) {
      const path = join(one, name);
      if (await isFile(path)) return path;
    }
  }
  return null;
}

async function foldersUpToRoot(folder: string): Promise<readonly string[]> {
  const folders = [folder];
  for (let at = folder; ;) {
    if (await exists(join(at, '.git'))) return folders;
    const parent = dirname(at);
    if (parent === at) return [folder];
    folders.push(parent);
    at = parent;
  }
}

export function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
