import { randomBytes } from 'node:crypto';
import { createWriteStream, openSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Writable } from 'node:stream';

/** A file that only its owner may read, and that has its name once it is whole and on the disk; until then it stands beside. */
export class WholeFile {
  readonly sink: Writable;
  private readonly half: string;

  constructor(private readonly path: string) {
    // Not by the process id: in a container every process may have the same one, and one that was killed has left its file.
    this.half = `${path}.${randomBytes(4).toString('hex')}.part`;
    // Opened at once: a folder that does not exist is noticed before anything is read.
    this.sink = createWriteStream(this.half, { fd: openSync(this.half, 'wx', 0o600), flush: true });
  }

  /** To be called when the sink has ended. */
  async keep(): Promise<void> {
    await finished(this.sink, { readable: false });
    await rename(this.half, this.path);
    const folder = await open(dirname(this.path));
    await folder.sync().finally(() => folder.close());
  }

  /** Nothing of it stays. At once, as for a process that ends. */
  readonly discard = (): void => {
    this.sink.destroy();
    rmSync(this.half, { force: true });
  };
}
