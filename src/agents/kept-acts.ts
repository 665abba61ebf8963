import type { Json } from './json-value';
import type { Secrets } from './secrets/secrets';
import { MOST_CALLS, type HeardActs, type HeardCall } from './heard-acts';

/** In UTF-8 bytes: of the arguments of one call, and of its result. */
export const MOST_CALL_BYTES = 16 * 1024;
/** In UTF-8 bytes: of all pieces of context of one reply. */
export const MOST_CONTEXT_BYTES = 64 * 1024;
/** Names and ids are identifiers; a longer one is truncated. */
const LONGEST_NAME = 200;

/** How many characters of a text are to be read for what is kept of it. */
export function charactersOf({ calls, context }: HeardActs): number {
  const ofCalls = (calls ?? []).reduce(
    (sum, { arguments: given, result }) => sum + (given?.length ?? 0) + (result?.length ?? 0),
    0,
  );
  return context.reduce((sum, { length }) => sum + length, ofCalls);
}

/**
 * What is kept with a turn of what an answer told (`actsIn` reads it). Secrets are removed first: a text that is cut may end in a half
 * of one, which no search finds.
 */
export function keptActs(
  { calls, areCallsCut, context, isContextCut }: HeardActs,
  secrets: Secrets,
): Readonly<Record<string, Json>> {
  const pieces = keptPieces(context, secrets);
  return {
    ...(calls === null ? {} : { tool_calls: calls.slice(0, MOST_CALLS).map((call) => keptCall(call, secrets)) }),
    ...(pieces.kept.length === 0 ? {} : { context: pieces.kept }),
    ...(areCallsCut || (calls?.length ?? 0) > MOST_CALLS ? { tool_calls_cut: true } : {}),
    ...(isContextCut || pieces.isCut ? { context_cut: true } : {}),
  };
}

function keptCall(call: HeardCall, secrets: Secrets): Readonly<Record<string, Json>> {
  const id = call.id === null ? null : identifier(call.id, secrets);
  const given = call.arguments === null ? null : cut(secrets.remove(call.arguments), MOST_CALL_BYTES);
  const result = call.result === null ? null : cut(secrets.remove(call.result), MOST_CALL_BYTES);
  const isTruncated = given?.isCut === true || result?.isCut === true;
  return {
    ...(id === null ? {} : { id }),
    name: identifier(call.name, secrets),
    ...(given === null ? {} : { arguments: given.text }),
    ...(result === null ? {} : { result: result.text }),
    ...(isTruncated ? { truncated: true } : {}),
    ...(given?.isCut === true ? { arguments_cut: true } : {}),
  };
}

function keptPieces(
  context: readonly string[],
  secrets: Secrets,
): { readonly kept: string[]; readonly isCut: boolean } {
  const kept: string[] = [];
  let left = MOST_CONTEXT_BYTES;
  for (const piece of context) {
    const { text, bytes, isCut } = cut(secrets.remove(piece), left);
    if (text !== '') kept.push(text);
    left -= bytes;
    if (isCut) return { kept, isCut: true };
  }
  return { kept, isCut: false };
}

function identifier(text: string, secrets: Secrets): string {
  return cut(secrets.remove(text), LONGEST_NAME).text;
}

/** The beginning of a text that fits into so many bytes; no character is split. */
function cut(given: string, most: number): { readonly text: string; readonly bytes: number; readonly isCut: boolean } {
  const text = given.toWellFormed();
  const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return { text: text.slice(0, read), bytes: written, isCut: read < text.length };
}
