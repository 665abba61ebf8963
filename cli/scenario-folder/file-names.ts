import { createHash } from 'node:crypto';

const LONGEST = 80;
/** Names that Windows keeps for devices, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * A name for a folder or file from any text: ASCII letters, digits, _ and - only. So it never leads out of its folder, and is the
 * same file on every system.
 */
export function slugOf(text: string): string {
  const plain = text
    .slice(0, LONGEST * 4)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9_]+/g, '-');
  const slug = trimmed(trimmed(plain).slice(0, LONGEST));
  if (slug === '') return `scenario-${createHash('sha256').update(text.toWellFormed()).digest('hex').slice(0, 8)}`;
  return DEVICES.test(slug) ? `${slug}-` : slug;
}

function trimmed(slug: string): string {
  return slug.replace(/^-/, '').replace(/-$/, '');
}

/** Gives out each file name once, ignoring case: some systems do not distinguish upper and lower case. */
export class FreeNames {
  private readonly taken = new Set<string>();

  constructor(taken: Iterable<string>) {
    for (const path of taken) this.taken.add(path.toLowerCase());
  }

  take(stem: string, extension: string): string {
    for (let number = 1; ; number += 1) {
      const path = `${stem}${number === 1 ? '' : `-${number}`}.${extension}`;
      if (this.taken.has(path.toLowerCase())) continue;
      this.taken.add(path.toLowerCase());
      return path;
    }
  }
}
