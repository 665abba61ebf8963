import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version in package.json, which is some folders up: two from the sources, three from the built files. */
export const VERSION: string = readVersion(__dirname);

function readVersion(folder: string): string {
  const manifest = readManifest(join(folder, 'package.json'));
  if (manifest !== null) return manifest;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('package.json was not found above the service; reinstall Agent OSCE.');
  return readVersion(parent);
}

function readManifest(path: string): string | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const manifest: unknown = JSON.parse(text);
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return null;
  return typeof manifest.version === 'string' ? manifest.version : null;
}
