/** How deep, and among how many values, an id of a conversation is looked for. */
const MAX_DEPTH = 6;
const MOST_VALUES = 2_000;

const NAME = /^[A-Za-z_]\w{0,39}$/;
const OF_CONVERSATION = /session|conversation|conv_|thread|chat|dialog/i;
/** Names of other things that have a new id in each answer. */
const OF_SOMETHING_ELSE = /message|msg|request|trace|span|event|user|log|completion|turn|job|task/i;
const ID_NAME = /(^|_)(id|uuid|key)$|Id$/;
const NAMED_ID = /^[\w.:~=+@/-]{1,200}$/;
const ID = /^(?=[^\s]*\d)[\w.:~=+@/-]{4,200}$/;

export interface DifferingId {
  /** In JMESPath. */
  readonly path: string;
  /** Whether its name says that it belongs to a conversation, and not only that it is an id. */
  readonly isNamedSo: boolean;
}

/**
 * A field of two answers that looks like the id of a conversation and differs between them; null when there is none. Of several
 * fields, one named after a session comes before one that is only named an id.
 */
export function differingId(first: readonly unknown[], second: readonly unknown[]): DifferingId | null {
  const before = idsIn(first);
  const found = [...idsIn(second)]
    .filter(([path, { value }]) => before.has(path) && before.get(path)?.value !== value)
    .map(([path, { isNamedSo }]) => ({ path, isNamedSo }));
  return found.find(({ isNamedSo }) => isNamedSo) ?? found[0] ?? null;
}

interface Id {
  readonly value: string;
  readonly isNamedSo: boolean;
}

function idsIn(answers: readonly unknown[]): ReadonlyMap<string, Id> {
  const ids = new Map<string, Id>();
  let looked = 0;
  const walk = (value: unknown, path: readonly string[]): void => {
    if (++looked > MOST_VALUES || path.length > MAX_DEPTH) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const id = idOf(String(value), path);
      const key = path.join('.');
      if (id !== null && !ids.has(key)) ids.set(key, id);
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [name, item] of Object.entries(value)) if (NAME.test(name)) walk(item, [...path, name]);
    }
  };
  for (const answer of answers) walk(answer, []);
  return ids;
}

function idOf(value: string, path: readonly string[]): Id | null {
  const name = path.at(-1) ?? '';
  // "session": { "id": … } is named after a session too.
  const isNamedSo = OF_CONVERSATION.test(name) || (ID_NAME.test(name) && OF_CONVERSATION.test(path.at(-2) ?? ''));
  if (OF_SOMETHING_ELSE.test(name) || !(isNamedSo || ID_NAME.test(name))) return null;
  return (isNamedSo ? NAMED_ID : ID).test(value) ? { value, isNamedSo } : null;
}
