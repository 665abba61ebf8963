/** Deeper than any vendor's answer; a megabyte of brackets would keep the parser busy for a tenth of a second. */
const MAX_DEPTH = 200;
/** More than any vendor's answer holds; a megabyte of them would keep parser and schemas busy for a second. */
const MAX_VALUES = 20_000;

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/** JSON that is not read because it holds too many values. */
export class TooManyValues extends SyntaxError {
  override readonly name = 'TooManyValues';

  constructor() {
    super('JSON of more than 20,000 values, the most the harness reads of one answer');
  }
}

/**
 * JSON of an agent's server.
 * @throws TooManyValues before it is read
 * @throws SyntaxError when it is not JSON, or when its lists and objects are nested more than 200 deep
 */
export function parseJson(text: string): unknown {
  checkShape(text, MAX_VALUES);
  return JSON.parse(text);
}

/**
 * JSON that a text in a config holds, such as the file of a login: of as many values as pages keep.
 * @throws SyntaxError when it is not JSON, or when its lists and objects are nested more than 200 deep
 */
export function parseConfigJson(text: string): unknown {
  checkShape(text, Infinity);
  return JSON.parse(text);
}

/** One pass over the code units; what is inside strings does not count. */
function checkShape(text: string, mostValues: number): void {
  let depth = 0;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isInString) {
      if (unit === BACKSLASH) at += 1;
      else if (unit === QUOTE) isInString = false;
    } else if (unit === QUOTE) {
      isInString = true;
    } else if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) throw new SyntaxError('The JSON is nested too deeply.');
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) {
      depth -= 1;
    } else if (unit === COMMA) {
      values += 1;
      if (values > mostValues) throw new TooManyValues();
    }
  }
}
