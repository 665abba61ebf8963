/**
 * A pattern that is searched in texts, most of which are ASCII. V8 takes up to ten times as long for one with the classes of Unicode and the
 * flag `u`; in a text of ASCII such a pattern finds the same without them, so each has a second form for those.
 */
export class WordPattern {
  private readonly ofAscii: RegExp;

  /** @param whole with the flags `iu`, and no classes of Unicode besides letters and numbers */
  constructor(private readonly whole: RegExp) {
    this.ofAscii = new RegExp(inAscii(whole.source), 'i');
  }

  test(text: string): boolean {
    return (isAscii(text) ? this.ofAscii : this.whole).test(text);
  }
}

const ASCII = /^\p{ASCII}*$/u;
/** The text that was last looked at: a text is searched for one pattern after another. */
let last = { text: '', isAscii: true };

function isAscii(text: string): boolean {
  if (text !== last.text) last = { text, isAscii: ASCII.test(text) };
  return last.isAscii;
}

const RANGES: ReadonlyMap<string, string> = new Map([
  ['\\p{L}', 'A-Za-z'],
  ['\\p{N}', '0-9'],
]);

/** The source with the ASCII letters and digits in place of those of Unicode, inside of classes and outside. */
function inAscii(source: string): string {
  let isInClass = false;
  const plain = source.replace(/\\[pP]\{\w+\}|\\.|[[\]]/g, (part) => {
    if (part === '[') isInClass = true;
    else if (part === ']') isInClass = false;
    if (part === '\\P{L}' && !isInClass) return '[^A-Za-z]';
    const range = RANGES.get(part);
    if (range === undefined) return part;
    return isInClass ? range : `[${range}]`;
  });
  if (/\\[pP]\{/.test(plain)) throw new Error(`The pattern ${source} has a class that has no form in ASCII.`);
  return plain;
}
