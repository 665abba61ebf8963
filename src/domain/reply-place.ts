/** Paths that return the whole answer as the reply: the JSON itself, or a stream with one event a line. */
export const WHOLE_ANSWER = 'to_string(@)';
export const WHOLE_EVENTS = 'join(\'\', [to_string(@), `"\\n"`])';

/** The JSON in a reply that was read by these paths: of a stream each event, which has a line; nothing where it is none. */
export function answersIn(reply: string): unknown[] {
  return (isWholeStream(reply) ? reply.split('\n') : [reply]).flatMap(jsonIn);
}

/** Whether it is a stream that was read by them. */
export function isWholeStream(reply: string): boolean {
  return reply.endsWith('\n');
}

function jsonIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

/** The place where an answer seems to hold the reply. */
export interface ReplyPlace {
  readonly path: string;
  readonly text: string;
}

const MAX_DEPTH = 10;
const MAX_TEXTS = 2_000;

/** Names of fields that hold replies, the likeliest first; then names of fields that never do. */
const LIKELY = [
  ...['reply', 'answer', 'response', 'output_text', 'generated_text', 'delta', 'content', 'text', 'message', 'output'],
  ...['result', 'completion', 'say', 'speech', 'body', 'data', 'token', 'chunk', 'parts', 'part'],
];
const UNLIKELY =
  /(^|_)(id|uuid|ids|status|type|role|model|object|name|title|created|created_at|timestamp|time|date|url|link|error|detail|details|code|lang|language|locale|finish_reason|reason|version|state|intent|event|key|token_type|thought|reasoning)$/;
const SESSION = /^(session|conversation|thread|chat)_?id$/i;

interface Text {
  readonly path: string;
  readonly names: readonly string[];
  readonly text: string;
}

/**
 * The likeliest place of a reply in an answer, or in the events of a stream; null when nothing looks like one.
 * @param sent the message that was sent: a text that repeats it is no reply
 */
export function replyPlaceIn(answers: readonly unknown[], sent: string): ReplyPlace | null {
  const byPath = new Map<string, { names: readonly string[]; text: string; count: number }>();
  for (const { path, names, text } of answers.flatMap(textsIn)) {
    const known = byPath.get(path);
    byPath.set(path, { names, text: (known?.text ?? '') + text, count: (known?.count ?? 0) + 1 });
  }
  const rated = [...byPath]
    .map(([path, { names, text, count }]) => ({
      path,
      text,
      rating: ratingOf(names, text, sent) + Math.min(count, 20),
    }))
    .filter(({ rating }) => rating > 20)
    .sort((left, right) => right.rating - left.rating);
  return rated[0] ?? null;
}

/** The path of an id by which an answer names its session; null when none does. */
export function sessionPlaceIn(answers: readonly unknown[]): string | null {
  return answers.flatMap(textsIn).find(({ names }) => SESSION.test(names.at(-1) ?? ''))?.path ?? null;
}

function ratingOf(names: readonly string[], text: string, sent: string): number {
  const name = snakeCase(names.at(-1) ?? '');
  if (text.trim() === '' || text.trim() === sent.trim() || UNLIKELY.test(name)) return 0;
  const rank = LIKELY.indexOf(name);
  const around = names.slice(0, -1).some((one) => LIKELY.includes(snakeCase(one))) ? 5 : 0;
  const words = /\p{L}\s+\p{L}/u.test(text) ? 25 : 0;
  return (rank < 0 ? 0 : 30 - rank) + around + words - names.length;
}

/** The texts of an answer, without the user's own messages; bounded. */
function textsIn(answer: unknown): readonly Text[] {
  const texts: Text[] = [];
  const walk = (value: unknown, path: string, names: readonly string[]): void => {
    if (texts.length >= MAX_TEXTS || names.length > MAX_DEPTH) return;
    if (typeof value === 'string') texts.push({ path: path === '' ? '@' : path, names, text: value });
    else if (Array.isArray(value)) {
      const place = value.length === 1 ? 0 : -1;
      walk(value.at(place), `${path}[${place}]`, names);
    } else if (isObject(value) && !/^(user|human|tool|system)$/.test(String(value['role']))) {
      for (const [name, item] of Object.entries(value)) {
        const step = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
        walk(item, path === '' ? step : `${path}.${step}`, [...names, name]);
      }
    }
  };
  walk(answer, '', []);
  return texts;
}

function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
