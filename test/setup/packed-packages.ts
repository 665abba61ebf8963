import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { EmptyPlace, pack, ROOT, type Packed } from './packed';

const FOLDER = 'PACKED_PACKAGES';
const packed = z.object({ tarball: z.string(), files: z.array(z.string()), unpackedSize: z.number() });
const packages = z.object({ whole: packed, alone: packed });

/** Both packages, packed once for all specs: the whole one by npm from git, as for somebody who installs it from there. */
export async function packedPackages(): Promise<{ readonly whole: Packed; readonly alone: Packed }> {
  return packages.parse(JSON.parse(await readFile(join(process.env[FOLDER] ?? '', 'packed.json'), 'utf8')));
}

/** Before the specs. */
export async function packPackages(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-osce-packed-'));
  process.env[FOLDER] = folder;
  const place = await EmptyPlace.make();
  const environment = await place.environment();
  const [whole, alone] = await Promise.all([
    pack(`git+file://${repositoryIn(place.folder)}`, await folderIn(folder, 'whole'), { environment, cwd: place.work }),
    pack('./packages/command', await folderIn(folder, 'alone')),
  ]);
  await writeFile(join(folder, 'packed.json'), JSON.stringify({ whole, alone }));
  await place.remove();
}

/** After them. */
export function removePackages(): Promise<void> {
  return rm(process.env[FOLDER] ?? '', { recursive: true, force: true });
}

async function folderIn(folder: string, name: string): Promise<string> {
  await mkdir(join(folder, name));
  return join(folder, name);
}

/** A repository with these sources, and nothing that is built. */
function repositoryIn(folder: string): string {
  const repository = join(folder, 'repository');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'pipe' });
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  for (const path of execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((one) => one !== '')) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    copyFileSync(join(ROOT, path), join(repository, path));
  }
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.org', 'commit', '--quiet', '--message', 'All of it');
  return repository;
}
