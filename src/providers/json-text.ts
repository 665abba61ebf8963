/** Deeper than any vendor's answer; a megabyte of brackets would keep the parser busy for a tenth of a second. */
const MAX_DEPTH = 200;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * JSON of an agent's server.
 * @throws SyntaxError when it is none, or when its lists and objects stand inside each other more than 200 deep
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError('The JSON is nested too deeply.');
  return JSON.parse(text);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
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
      if (depth > MAX_DEPTH) return true;
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) {
      depth -= 1;
    }
  }
  return false;
}
