/** A part of a text; `hidden` names the characters when they would not be visible themselves. */
export interface VisiblePart {
  readonly text: string;
  readonly hidden: string | null;
}

/**
 * Control characters but tab and line feed, marks that change the direction of text, invisible characters, tags, and halves of
 * surrogate pairs. Joiners stay: emoji and several scripts are written with them.
 */
const HIDDEN =
  /[\p{Cs}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]+/gu;

const NAMES: ReadonlyMap<number, readonly [short: string, name: string]> = new Map([
  [0xad, ['SHY', 'Soft hyphen']],
  [0x61c, ['ALM', 'Arabic letter mark']],
  [0x200b, ['ZWSP', 'Zero width space']],
  [0x200e, ['LRM', 'Left-to-right mark']],
  [0x200f, ['RLM', 'Right-to-left mark']],
  [0x2028, ['LS', 'Line separator']],
  [0x2029, ['PS', 'Paragraph separator']],
  [0x202a, ['LRE', 'Left-to-right embedding']],
  [0x202b, ['RLE', 'Right-to-left embedding']],
  [0x202c, ['PDF', 'End of embedding or override']],
  [0x202d, ['LRO', 'Left-to-right override']],
  [0x202e, ['RLO', 'Right-to-left override']],
  [0x2060, ['WJ', 'Word joiner']],
  [0x2066, ['LRI', 'Left-to-right isolate']],
  [0x2067, ['RLI', 'Right-to-left isolate']],
  [0x2068, ['FSI', 'First strong isolate']],
  [0x2069, ['PDI', 'End of isolate']],
  [0xfeff, ['BOM', 'Zero width no-break space']],
]);

/** Titles of longer runs name only this many. */
const NAMED_AT_MOST = 8;

export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  const plain = text.replaceAll('\r\n', '\n');
  for (const match of plain.matchAll(HIDDEN)) {
    if (match.index > from) parts.push({ text: plain.slice(from, match.index), hidden: null });
    parts.push(shown(match[0]));
    from = match.index + match[0].length;
  }
  if (from < plain.length) parts.push({ text: plain.slice(from), hidden: null });
  return parts;
}

/** For places that take plain text only, such as the window title. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => part.text)
    .join('');
}

function shown(run: string): VisiblePart {
  const codes = [...run].map((character) => character.codePointAt(0) ?? 0);
  const named = codes.slice(0, NAMED_AT_MOST).map(nameOf).join(', ');
  return {
    text: codes.map(shortOf).join(' '),
    hidden: codes.length > NAMED_AT_MOST ? `${named} and ${codes.length - NAMED_AT_MOST} more` : named,
  };
}

function shortOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return NAMES.get(code)?.[0] ?? hex(code);
}

function nameOf(code: number): string {
  const name = NAMES.get(code)?.[1] ?? (code >= 0xd800 && code <= 0xdfff ? 'Half a character' : 'Hidden character');
  return `${name} (${hex(code)})`;
}

function hex(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
