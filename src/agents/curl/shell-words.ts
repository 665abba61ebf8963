import { CurlLineError } from './curl-line-error';

/** The variables that a line may use. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The operators after which a shell would run another command or redirect the output. */
const OPERATORS = '|&;<>\n';
/** The longest name of a variable that is looked at. */
const VARIABLE = /^(?:\{([A-Za-z_]\w{0,99})\}|([A-Za-z_]\w{0,99}))/;

const C_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['e', '\u001b'],
  ['E', '\u001b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['?', '?'],
]);
const C_NUMBERS = /^(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3}))/;

export interface ShellLine {
  readonly words: readonly string[];
  /** The text after a pipe, a redirection or the end of the command, which is left out; empty when there is none. */
  readonly rest: string;
}

/**
 * The words of one command as bash splits and unquotes it: '…', "…", $'…', backslashes, continued lines, and variables, which are
 * taken from the environment. It runs nothing, expands no file names, and passes over the text once.
 * @throws CurlLineError for a quote without an end, a variable that is not set, and commands within the line
 */
export function shellWords(text: string, environment: Environment): ShellLine {
  return new ShellReader(text, environment).read();
}

class ShellReader {
  private at = 0;
  private readonly words: string[] = [];
  /** Null between words: an empty quote is a word too. */
  private word: string | null = null;

  constructor(
    private readonly text: string,
    private readonly environment: Environment,
  ) {}

  read(): ShellLine {
    const { text } = this;
    while (this.at < text.length) {
      const character = text.charAt(this.at);
      if (OPERATORS.includes(character) && !(character === '\n' && this.words.length === 0)) break;
      this.at += 1;
      if (/\s/.test(character)) this.endWord();
      else if (character === '\\') this.addEscaped();
      else if (character === "'") this.add(this.upTo("'"));
      else if (character === '"') this.addDoubleQuoted();
      else if (character === '$') this.addDollar(true);
      else if (character === '`') throw commandWithin();
      else this.add(character);
    }
    this.endWord();
    return { words: this.words, rest: text.slice(this.at).trimEnd() };
  }

  private endWord(): void {
    if (this.word !== null) this.words.push(this.word);
    this.word = null;
  }

  private add(text: string): void {
    this.word = (this.word ?? '') + text;
  }

  /** After a backslash outside of quotes; one before a line break joins the lines. */
  private addEscaped(): void {
    const lineBreak = /^\r?\n/.exec(this.text.slice(this.at, this.at + 2))?.[0];
    if (lineBreak === undefined) this.add(this.text.charAt(this.at));
    this.at += lineBreak?.length ?? 1;
  }

  private upTo(quote: string): string {
    const end = this.text.indexOf(quote, this.at);
    if (end < 0) throw unended(quote);
    const inside = this.text.slice(this.at, end);
    this.at = end + 1;
    return inside;
  }

  private addDoubleQuoted(): void {
    this.add('');
    for (;;) {
      const character = this.text.charAt(this.at);
      this.at += 1;
      if (character === '') throw unended('"');
      if (character === '"') return;
      if (character === '`') throw commandWithin();
      if (character === '$') this.addDollar(false);
      else if (character !== '\\') this.add(character);
      else if ('$`"\\\n'.includes(this.text.charAt(this.at))) this.addEscaped();
      else this.add('\\');
    }
  }

  private addDollar(isUnquoted: boolean): void {
    const next = this.text.charAt(this.at);
    if (next === "'" && isUnquoted) {
      this.at += 1;
      return this.addCQuoted();
    }
    if (next === '(') throw commandWithin();
    const found = VARIABLE.exec(this.text.slice(this.at, this.at + 110));
    if (found === null) return this.add('$');
    const name = found[1] ?? found[2] ?? '';
    const value = this.environment[name];
    if (value === undefined) {
      throw new CurlLineError(`The line uses the variable ${name}, which is not set: put its value there.`);
    }
    this.at += found[0].length;
    this.add(value);
  }

  /** `$'…'`, in which browsers write characters that plain quotes cannot hold. */
  private addCQuoted(): void {
    this.add('');
    for (;;) {
      const character = this.text.charAt(this.at);
      this.at += 1;
      if (character === '') throw unended("$'");
      if (character === "'") return;
      if (character !== '\\') {
        this.add(character);
        continue;
      }
      const number = C_NUMBERS.exec(this.text.slice(this.at, this.at + 9));
      const letter = this.text.charAt(this.at);
      this.at += number?.[0].length ?? 1;
      this.add(number === null ? (C_ESCAPES.get(letter) ?? `\\${letter}`) : characterOf(number));
    }
  }
}

function characterOf([, byte, unit, point, octal]: readonly (string | undefined)[]): string {
  const code = octal === undefined ? Number.parseInt(byte ?? unit ?? point ?? '0', 16) : Number.parseInt(octal, 8);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}

function unended(quote: string): CurlLineError {
  return new CurlLineError(`The line has a ${quote} without its end: copy it whole.`);
}

function commandWithin(): CurlLineError {
  return new CurlLineError(
    'The line runs another command within itself ($(…) or `…`): put what that prints in its place.',
  );
}
