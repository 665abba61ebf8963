import * as z from 'zod/mini';
import { listNames, sentenceWithin } from './sentence';

/** Which of the agent's replies are looked at: a turn by its number, the last one, or whether one of them or every one has to fit. */
const turn = z.optional(z.union([z.enum(['any', 'every', 'last']), z.int()]));

/** The shape of a check; whether its pattern or schema can be read is told where it is given. */
export const storedCheck = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('contains'),
    texts: z.array(z.string()),
    need: z.optional(z.enum(['any', 'all'])),
    case_sensitive: z.optional(z.boolean()),
    whole_words: z.optional(z.boolean()),
    turn,
  }),
  z.object({ kind: z.literal('regex'), pattern: z.string(), flags: z.optional(z.string()), turn }),
  z.object({ kind: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()), turn }),
  z.object({
    kind: z.literal('tool_call'),
    name: z.string(),
    arguments: z.optional(
      z.object({
        contains: z.optional(z.array(z.string())),
        json_schema: z.optional(z.record(z.string(), z.unknown())),
      }),
    ),
    times: z.optional(z.int()),
    turn,
  }),
  z.object({ kind: z.literal('latency_ms'), max: z.number(), percentile: z.optional(z.number()) }),
  z.object({ kind: z.literal('tokens'), max: z.number() }),
  z.object({ kind: z.literal('cost_usd'), max: z.number() }),
]);

/** What code decides of a criterion, in place of the judge (docs/checks.md). */
export type Check = z.infer<typeof storedCheck>;
export type CheckKind = Check['kind'];

/** The kinds, in the order in which people choose from them. */
export const CHECK_KINDS = [
  'contains',
  'regex',
  'json_schema',
  'tool_call',
  'latency_ms',
  'tokens',
  'cost_usd',
] as const satisfies readonly CheckKind[];

/** A check as it is stored, or as a page holds it; null for a kind that this version does not know. */
export function readCheck(stored: unknown): Check | null {
  return storedCheck.safeParse(stored).data ?? null;
}

/** A limit is kept or not: doing so is never a fault, and no turn is due for it. */
export function isLimit({ kind }: Pick<Check, 'kind'>): boolean {
  return kind === 'latency_ms' || kind === 'tokens' || kind === 'cost_usd';
}

/** Longer texts of an author are cut where a check is told in words. */
const LONGEST_SHOWN = 200;

/** What a check asks for, in words: `a reply contains “999”`. */
export function checkWords(check: Check): string {
  switch (check.kind) {
    case 'contains': {
      const texts = check.texts.map((text) => `“${shown(text)}”`);
      const last = texts.pop() ?? '';
      const word = check.need === 'all' ? 'and' : 'or';
      const list = texts.length === 0 ? last : `${texts.join(', ')} ${word} ${last}`;
      const how = [
        ...(check.whole_words === true ? ['whole words'] : []),
        ...(check.case_sensitive === true ? ['capitals count'] : []),
      ];
      return `${whichReply(check.turn)} contains ${list}${how.length === 0 ? '' : ` (${how.join(', ')})`}`;
    }
    case 'regex':
      return `${whichReply(check.turn)} matches /${shown(check.pattern)}/${check.flags ?? ''}`;
    case 'json_schema':
      return `${whichReply(check.turn)} is JSON that fits a schema`;
    case 'tool_call': {
      const times = check.times === undefined ? '' : ` ${check.times === 1 ? 'once' : `${check.times} times`}`;
      const where = check.turn === undefined || check.turn === 'any' ? '' : ` for ${whichReply(check.turn)}`;
      return `the agent calls ${shown(check.name)}${times}${where}${argumentsWords(check.arguments)}`;
    }
    case 'latency_ms':
      return `${check.percentile === undefined ? 'every reply' : `${check.percentile} % of the replies`} within ${check.max} ms`;
    case 'tokens':
      return `at most ${check.max} tokens in the conversation`;
    case 'cost_usd':
      return `at most $${check.max} for the conversation`;
  }
}

function argumentsWords(wanted: Extract<Check, { kind: 'tool_call' }>['arguments']): string {
  const texts = (wanted?.contains ?? []).map((text) => `“${shown(text)}”`);
  const parts = [
    ...(texts.length === 0 ? [] : [`contain ${listNames(texts)}`]),
    ...(wanted?.json_schema === undefined ? [] : ['fit a schema']),
  ];
  return parts.length === 0 ? '' : `, whose arguments ${parts.join(' and ')}`;
}

function whichReply(turn: Extract<Check, { kind: 'regex' }>['turn']): string {
  if (typeof turn === 'number') return `the reply in turn ${turn}`;
  if (turn === 'every') return 'every reply';
  return turn === 'last' ? 'the last reply' : 'a reply';
}

function shown(text: string): string {
  return sentenceWithin(text, LONGEST_SHOWN);
}
