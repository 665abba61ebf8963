import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SCHEMA_FILE } from '../../src/features/scenarios/files/scenario-json-schema';
import { UsageFailure } from '../failure';
import { shortened } from '../output/harmless-text';

/** A folder that holds more is refused before it is read. */
const MOST = { files: 10_000, entries: 50_000, levels: 16, bytes: 256 * 1024 * 1024 };
const SCENARIOS = /\.(?:ya?ml|jsonl?)$/i;
const LONGEST_NAMED = 300;

export interface FilesFound {
  /** In the given order; the files of a folder by path. */
  readonly files: readonly string[];
  /** Symbolic links of folders: they are not followed, since they may lead anywhere. */
  readonly links: readonly string[];
}

/**
 * The files that paths name: of a folder, every file of scenarios in it and below it; hidden ones and the schema are left out.
 * @throws UsageFailure when a folder holds none, or too many
 */
export async function filesIn(paths: readonly string[]): Promise<FilesFound> {
  const files: string[] = [];
  const links: string[] = [];
  for (const path of paths) {
    if (!(await isFolder(path))) {
      files.push(path);
      continue;
    }
    const folder = new Folder(path);
    await folder.read();
    if (folder.files.length === 0) {
      throw new UsageFailure(`${shown(path)} holds no files of scenarios (*.yaml, *.yml, *.json, *.jsonl).`);
    }
    files.push(...folder.files.sort());
    links.push(...folder.links);
  }
  return { files, links };
}

/** The files of scenarios in a folder and below it; none where there is no folder. @throws UsageFailure when there are too many */
export async function filesBelow(path: string): Promise<readonly string[]> {
  if (!(await isFolder(path))) return [];
  const folder = new Folder(path);
  await folder.read();
  return folder.files.sort();
}

async function isFolder(path: string): Promise<boolean> {
  // An unreadable path is reported when it is read.
  return path !== '-' && (await stat(path).catch(() => null))?.isDirectory() === true;
}

/** A given folder with everything below it. */
class Folder {
  readonly files: string[] = [];
  readonly links: string[] = [];
  private entries = 0;
  private bytes = 0;

  constructor(private readonly path: string) {}

  async read(folder = this.path, level = 1): Promise<void> {
    if (level > MOST.levels) throw this.tooLarge(`more than ${MOST.levels} levels of folders`);
    const folders: string[] = [];
    for await (const entry of await this.opened(folder)) {
      this.entries += 1;
      if (this.entries > MOST.entries) throw this.tooLarge(`more than ${MOST.entries} files and folders`);
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === SCHEMA_FILE) continue;
      if (entry.isSymbolicLink()) this.links.push(path);
      else if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && SCENARIOS.test(entry.name)) await this.add(path);
    }
    for (const path of folders) await this.read(path, level + 1);
  }

  private async opened(folder: string): ReturnType<typeof opendir> {
    try {
      return await opendir(folder);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      throw new UsageFailure(`${shown(folder)} cannot be read: ${shortened(reason, LONGEST_NAMED)}`);
    }
  }

  private async add(path: string): Promise<void> {
    this.files.push(path);
    this.bytes += (await stat(path).catch(() => null))?.size ?? 0;
    if (this.files.length > MOST.files) throw this.tooLarge(`more than ${MOST.files} files of scenarios`);
    if (this.bytes > MOST.bytes) throw this.tooLarge('more than 256 MiB of scenarios');
  }

  private tooLarge(what: string): UsageFailure {
    return new UsageFailure(`${shown(this.path)} holds ${what}: nothing was read. Give its folders one by one.`);
  }
}

function shown(path: string): string {
  return shortened(path, LONGEST_NAMED);
}
