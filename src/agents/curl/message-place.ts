export const MESSAGE = '{{message}}';

/** The content of a template: the JSON of a body, or the fields of a form. */
type Json = unknown;

/** A place in a template, as it is shown to people: `body.messages[0].content`. */
export interface Placed {
  readonly template: Json;
  readonly where: string;
  /** The field names of messages in the agent's API, where they are not the usual ones. */
  readonly messageFormat?: Readonly<Record<string, string>>;
}

/** Names of fields in which chat APIs take the user's message, the likeliest first. */
export const MESSAGE_NAMES = [
  ...['message', 'input', 'query', 'question', 'prompt', 'text', 'utterance', 'user_message', 'userMessage'],
  ...['user_input', 'userInput', 'chatInput', 'chat_input', 'content', 'msg', 'q', 'body'],
];
const MAX_DEPTH = 20;

/** Puts `{{message}}` in place of a sample text: where it is the whole value, else where it is a part of one. */
export function placeSample(template: Json, sample: string): Placed | null {
  for (const isPlace of [(text: string) => text === sample, (text: string) => text.includes(sample)]) {
    let where: string | null = null;
    const placed = mapped(template, 'body', (text, path) => {
      if (text === null || where !== null || !isPlace(text)) return text;
      where = path;
      return text.replace(sample, () => MESSAGE);
    });
    if (where !== null) return { template: placed, where };
  }
  return null;
}

/** Puts it where chat APIs usually take it: in a field of a usual name, the outermost first, or in a list of messages. */
export function placeByName(template: Json): Placed | null {
  let level: (readonly [path: string, value: Json])[] = [['body', template]];
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    for (const [path, value] of level) {
      if (!isObject(value)) continue;
      const name = MESSAGE_NAMES.find((candidate) => typeof value[candidate] === 'string');
      if (name !== undefined) return replaced(template, `${path}.${name}`, MESSAGE);
      const list = placeList(template, `${path}.messages`, value['messages']);
      if (list !== null) return list;
    }
    level = level.flatMap(([path, value]) => {
      if (!isObject(value)) return [];
      return Object.entries(value).map(([key, item]) => [`${path}.${key}`, item] as const);
    });
  }
  return null;
}

/** A list of messages that ends with the user's: system messages stay, the others become those of the conversation. */
function placeList(template: Json, path: string, value: Json): Placed | null {
  if (!Array.isArray(value)) return null;
  const messages: Json[] = value;
  const last = messages.at(-1);
  if (!isObject(last)) return null;
  const roleName = ['role', 'from', 'sender', 'type'].find((name) => typeof last[name] === 'string');
  const contentName = ['content', 'text', 'message'].find((name) => typeof last[name] === 'string');
  if (roleName === undefined || contentName === undefined) return null;
  const isSystem = (message: Json): boolean =>
    isObject(message) && ['system', 'developer'].includes(String(message[roleName]));
  const kept = messages.filter(isSystem);
  const placed = kept.length === 0 ? '{{messages}}' : [...kept, '{{messages}}'];
  const agents = messages.find(
    (message) => isObject(message) && !isSystem(message) && message[roleName] !== last[roleName],
  );
  const format = {
    ...(roleName !== 'role' && { role: roleName }),
    ...(contentName !== 'content' && { content: contentName }),
    ...(last[roleName] !== 'user' && { user: String(last[roleName]) }),
    ...(isObject(agents) && agents[roleName] !== 'assistant' && { assistant: String(agents[roleName]) }),
  };
  return {
    ...replaced(template, path, placed),
    ...(Object.keys(format).length > 0 && { messageFormat: format }),
  };
}

const SESSION_NAME = /^(session|conversation|thread|chat|dialog|dialogue)(_?id|_?key|_?uuid)?$/i;

/** Whether a field, parameter or header of this name tells an agent which conversation a message belongs to. */
export function isSessionName(name: string): boolean {
  return SESSION_NAME.test(name.replace(/^x-/i, '').replaceAll('-', '_'));
}

/** Puts `{{session_id}}` in place of the ids of a session. */
export function placeSession(template: Json): { template: Json; where: readonly string[] } {
  const where: string[] = [];
  // The first message has null where later messages have the id.
  const placed = mapped(template, 'body', (text, path) => {
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (!isSessionName(name) || text?.includes('{{')) return text;
    where.push(path);
    return '{{session_id}}';
  });
  return { template: placed, where };
}

function replaced(template: Json, at: string, by: Json): Placed {
  const walk = (value: Json, path: string): Json => {
    if (path === at) return by;
    if (!isObject(value) || !at.startsWith(path)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, `${path}.${key}`)]));
  };
  return { template: walk(template, 'body'), where: at };
}

type MapText = (text: string | null, path: string) => string | null;

/** The template with each of its strings and nulls mapped. */
function mapped(value: Json, path: string, map: MapText, depth = 0): Json {
  if (typeof value === 'string' || value === null) return map(value, path);
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item, at) => mapped(item, `${path}[${at}]`, map, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapped(item, `${path}.${key}`, map, depth + 1)]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
