import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Secrets that are found again wherever they went, each made for one place. */
export class Canaries {
  private readonly placed = new Map<string, string>();

  /** @param place where it is put, and the name under which it is found again; the same at every call */
  of(place: string): string {
    const value = this.placed.get(place) ?? `cnry-${randomBytes(16).toString('hex')}`;
    this.placed.set(place, value);
    return value;
  }

  /** One that somebody else has made. */
  add(place: string, value: string): void {
    this.placed.set(place, value);
  }

  /** Places whose secret is in the text: all of it or its beginning or end, in Base64 of itself or after a name, in hexadecimal digits, or written backwards. */
  foundIn(text: string | Buffer): string[] {
    return [...this.placed]
      .filter(([, value]) => formsOf(value).some((form) => text.includes(form)))
      .map(([place]) => place);
  }

  /** Texts that hold any, by where they were read. */
  leaksIn(texts: readonly { readonly from: string; readonly text: string }[]): { from: string; found: string[] }[] {
    return texts.map(({ from, text }) => ({ from, found: this.foundIn(text) })).filter(({ found }) => found.length > 0);
  }

  /** The same for every file below a folder: by path, what is in it. */
  foundBelow(folder: string): Record<string, string[]> {
    const found: Record<string, string[]> = {};
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name);
      if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
      const places = this.foundIn(readFileSync(path));
      if (places.length > 0) found[name] = places;
    }
    return found;
  }
}

/** As much as no other text holds by chance. */
export const PIECE = 12;

function formsOf(value: string): string[] {
  return [
    value,
    // What is left of one that was cut.
    value.slice(0, PIECE),
    value.slice(-PIECE),
    encodeURIComponent(value),
    [...value].reverse().join(''),
    Buffer.from(value).toString('hex'),
    ...[0, 1, 2].map((before) => base64After(before, value)),
  ];
}

/** What of the value's Base64 is the same whatever stands around it, when so many bytes more than a multiple of three stand before it. */
function base64After(before: number, value: string): string {
  const written = Buffer.from('.'.repeat(before) + value).toString('base64');
  return written
    .replace(/=*$/, '')
    .slice(0, -2)
    .slice(before === 0 ? 0 : before + 1);
}
