/** A tool call as an answer tells of it: neither bounded nor without secrets yet. */
export interface HeardCall {
  readonly id: string | null;
  /** Empty where it is not told. */
  readonly name: string;
  /** JSON text as a rule; null where they are not told. */
  readonly arguments: string | null;
  readonly result: string | null;
}

/** What an answer tells of what the agent did before it replied. */
export interface HeardActs {
  /** Null where it does not tell whether a tool was called. */
  readonly calls: readonly HeardCall[] | null;
  readonly context: readonly string[];
  /** There were more calls than are read, or what is no call. */
  readonly areCallsCut: boolean;
  /** There were more pieces than are read. */
  readonly isContextCut: boolean;
}

/** Calls that are kept of one reply. */
export const MOST_CALLS = 64;
/** Pieces of context that are looked at; their characters are bounded besides. */
export const MOST_PIECES = 256;

type Fields = Readonly<Record<string, unknown>>;

/** Where vendors write what a call is made of; the first that is there counts. */
const NAMES = ['name', 'tool', 'tool_name', 'toolName'];
const ARGUMENTS = ['arguments', 'args', 'input', 'parameters'];
const RESULTS = ['result', 'output', 'response'];
const IDS = ['id', 'call_id', 'tool_call_id', 'toolCallId', 'tool_use_id'];
/** Where the call itself stands in an object around it. */
const INNER = ['function', 'functionCall', 'function_call'];

interface Draft {
  id: string | null;
  name: string;
  /** In pieces, as a stream brings them. */
  arguments: string[] | null;
  result: string | null;
}

/**
 * Gathers the tool calls of one answer, in the shapes of chat completions, of Anthropic's, Gemini's and LangChain's messages, and as
 * `{ name, arguments, result }`. Pieces of calls, as chat completions stream them, are joined; a result that comes by itself joins the
 * call of its id.
 */
export class HeardCalls {
  private readonly drafts: Draft[] = [];
  private readonly byId = new Map<string, Draft>();
  private readonly byIndex = new Map<number, Draft>();
  private hasMore = false;

  /** Whether there was something that is not read: too many calls, or what is no call. */
  get isCut(): boolean {
    return this.hasMore;
  }

  get list(): readonly HeardCall[] {
    return this.drafts.map(({ arguments: pieces, ...call }) => ({ ...call, arguments: pieces?.join('') ?? null }));
  }

  /** @param found a list of calls, or one; null and undefined for none */
  hear(found: unknown): void {
    if (found === null || found === undefined) return;
    for (const item of Array.isArray(found) ? (found as readonly unknown[]) : [found]) this.hearOne(item);
  }

  private hearOne(item: unknown): void {
    const call = typeof item === 'string' ? { name: item } : item;
    if (!isFields(call)) {
      this.hasMore ||= call !== null;
      return;
    }
    const inner = INNER.map((place) => call[place]).find(isFields) ?? call;
    const of = (names: readonly string[]): unknown =>
      [inner, call].flatMap((fields) => names.map((name) => fields[name])).find(isTold);
    const name = textOf(of(NAMES)) ?? '';
    const id = textOf(IDS.map((one) => call[one]).find(isTold) ?? of(IDS));
    const index = typeof call['index'] === 'number' ? call['index'] : null;
    const known = (id === null ? undefined : this.byId.get(id)) ?? this.begunAt(index, id, name);
    const draft = known ?? this.begun(id, name, index);
    // Only now: of thousands of calls that are not kept, nothing more is read.
    if (draft === null) return;
    const given = textOf(of(ARGUMENTS));
    if (given !== null) {
      const isPiece = index !== null && name === '';
      if (isPiece && draft.arguments !== null) draft.arguments.push(given);
      else draft.arguments = [given];
    }
    draft.result = textOf(of(RESULTS)) ?? draft.result;
  }

  /** Pieces name the place of the call that they continue, not its id. */
  private begunAt(index: number | null, id: string | null, name: string): Draft | undefined {
    return index === null || id !== null || name !== '' ? undefined : this.byIndex.get(index);
  }

  /** A new call; null for what is none, and for one too many. */
  private begun(id: string | null, name: string, index: number | null): Draft | null {
    if (name === '' || this.drafts.length >= MOST_CALLS) {
      this.hasMore = true;
      return null;
    }
    const draft: Draft = { id, name, arguments: null, result: null };
    this.drafts.push(draft);
    if (id !== null) this.byId.set(id, draft);
    if (index !== null) this.byIndex.set(index, draft);
    return draft;
  }
}

/**
 * The names in a list of tool calls as chat completions write it, and nothing else: a hang-up rests on them, which is no matter of
 * guessing shapes.
 */
export function functionNames(calls: unknown): readonly string[] {
  if (!Array.isArray(calls)) return [];
  return (calls as readonly unknown[]).slice(0, MOST_CALLS).flatMap((call) => {
    const named = isFields(call) ? call['function'] : null;
    const name = isFields(named) ? named['name'] : null;
    return typeof name === 'string' ? [name] : [];
  });
}

/** The pieces of text that are told as retrieved: a list of them or one; what is no text as JSON. */
export function contextIn(found: unknown): { readonly context: readonly string[]; readonly isCut: boolean } {
  const pieces: readonly unknown[] = Array.isArray(found) ? found : [found];
  return {
    context: pieces
      .slice(0, MOST_PIECES)
      .flatMap((piece) => textOf(piece) ?? [])
      .filter((piece) => piece.trim() !== ''),
    isCut: pieces.length > MOST_PIECES,
  };
}

const MOST_NUMBERS = 20;
const LONGEST_NAME = 200;

/** The numbers of a report of usage by their names, those of its details (`prompt_tokens_details`) too; null when it holds none. */
export function usageNumbers(
  usage: unknown,
): Readonly<Record<string, number | Readonly<Record<string, number>>>> | null {
  if (!isFields(usage)) return null;
  const kept = Object.entries(usage)
    .slice(0, MOST_NUMBERS)
    .flatMap(([name, value]): [string, number | Readonly<Record<string, number>>][] => {
      if (typeof value === 'number') return [[name.slice(0, LONGEST_NAME), value]];
      return isFields(value) ? [[name.slice(0, LONGEST_NAME), numbersIn(value)]] : [];
    });
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

function numbersIn(details: Fields): Readonly<Record<string, number>> {
  const entries = Object.entries(details).slice(0, MOST_NUMBERS);
  return Object.fromEntries(
    entries.flatMap(([name, value]): [string, number][] =>
      typeof value === 'number' ? [[name.slice(0, LONGEST_NAME), value]] : [],
    ),
  );
}

/** As it is, or as JSON; null where nothing is told. */
function textOf(value: unknown): string | null {
  if (!isTold(value)) return null;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? null);
}

function isTold(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
