import type { CST } from 'yaml';
import { firstOtherThanJson } from './yaml-subset';

const BYTE_ORDER_MARK = '\uFEFF';
/** Some of the engine's messages say where; none of Node 20 does so always. */
const SAID_POSITION = /at position (\d{1,9})/;

interface JsonTrouble {
  readonly offset: number;
  readonly message: string;
}

/** The value of a text, or why it is not JSON, and where. */
export function readJson(
  text: string,
  tokens: readonly CST.Token[],
): { readonly value: unknown } | { readonly trouble: JsonTrouble } {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  try {
    const value: unknown = JSON.parse(text.slice(mark));
    return { value };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    const said = SAID_POSITION.exec(reason)?.[1];
    const offset = said === undefined ? (firstOtherThanJson(tokens) ?? text.length) : Number(said) + mark;
    return { trouble: { offset, message: `is not valid JSON: ${reason}` } };
  }
}
