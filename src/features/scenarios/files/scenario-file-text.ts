import { Document, isScalar, isSeq, Scalar, stringify, visit, type YAMLSeq } from 'yaml';
import { canonicalScenario } from './canonical-scenario';
import type { FileFormat } from './file-formats';

/** The text of a scenario's file, canonical: the same scenario always gives the same bytes. */
export function scenarioFileText(scenario: object, format: FileFormat = 'yaml'): string {
  const canonical = canonicalScenario(scenario);
  return format === 'json' ? `${JSON.stringify(canonical, null, 2)}\n` : yamlOf(canonical);
}

/** Any part of a scenario as its file shows it. */
export function yamlOf(value: unknown): string {
  const document = new Document(value);
  visit(document, {
    Pair(_, { key, value: part }) {
      if (isScalar(key)) quoteOddKey(key);
      if (isScalar(key) && key.value === 'tags' && isSeq(part)) writeOnOneLine(part);
    },
    Scalar(position, scalar) {
      if (position !== 'key' && scalar.type === undefined) chooseStyle(scalar);
    },
  });
  return stringify(document, {
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    flowCollectionPadding: false,
    // Quotes what a parser of YAML 1.1 takes for something else, such as a bare No.
    compat: 'yaml-1.1',
  });
}

/** A line of a text that can stand there as it is: no white space at its ends, no invisible characters. */
const PLAIN_LINE = /^(?![\s\p{Cc}\p{Cf}])[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]*$/u;
const ENDS_WHITE = /\s$/;

function chooseStyle(scalar: Scalar): void {
  const { value } = scalar;
  if (typeof value !== 'string') return;
  const body = value.endsWith('\n') ? value.slice(0, -1) : value;
  const lines = body.split('\n');
  if (!lines.every(isPlain)) scalar.type = Scalar.QUOTE_DOUBLE;
  else if (value.includes('\n')) scalar.type = isBlock(lines) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
}

function isPlain(line: string): boolean {
  return PLAIN_LINE.test(line) && !ENDS_WHITE.test(line);
}

function isBlock(lines: readonly string[]): boolean {
  return lines.at(0) !== '' && lines.at(-1) !== '';
}

const USUAL_KEY = /^\$?[A-Za-z][\w-]{0,99}$/;

function quoteOddKey(key: Scalar): void {
  if (typeof key.value === 'string' && !USUAL_KEY.test(key.value)) key.type = Scalar.QUOTE_DOUBLE;
}

function writeOnOneLine(list: YAMLSeq): void {
  if (!list.items.every((item) => isScalar(item))) return;
  list.flow = true;
  for (const item of list.items) {
    if (isScalar(item) && typeof item.value === 'string' && !isPlain(item.value)) item.type = Scalar.QUOTE_DOUBLE;
  }
}
