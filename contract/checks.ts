import { z } from 'zod';
import { patternProblem, schemaProblem } from '../src/domain/checks';
import { filledText } from './field';

const MOST_TEXTS = 50;
const LONGEST_TEXT = 500;
const MOST_TURNS = 100;

const turn = z
  .union([z.enum(['any', 'every', 'last']), z.int().min(1).max(MOST_TURNS)], {
    error: `expected any, every, last or the number of a turn, 1 to ${MOST_TURNS}`,
  })
  .optional()
  .describe('Which reply: any of them (the default), every one, the last, or that of a turn.');

const most = (what: string) => z.number().positive().max(1e12).describe(what);

const contains = z.strictObject({
  kind: z.literal('contains'),
  texts: z
    .array(
      filledText(LONGEST_TEXT).refine((text) => /[\p{L}\p{N}\p{S}]/u.test(text), {
        error: 'holds no letter, digit or sign to look for',
      }),
    )
    .min(1)
    .max(MOST_TEXTS)
    .describe('Words to look for, as a reader sees them: marks of emphasis and line ends do not matter.'),
  need: z
    .enum(['any', 'all'])
    .optional()
    .describe('Whether one of them is enough (the default) or one reply has to hold all.'),
  case_sensitive: z.boolean().optional().describe('Whether capitals matter. Default: false.'),
  whole_words: z.boolean().optional().describe('Whether “no” is not found in “now”. Default: false.'),
  turn,
});

const regex = z
  .strictObject({
    kind: z.literal('regex'),
    pattern: filledText(100_000).describe('In RE2’s syntax: no look-ahead, look-behind or back-reference.'),
    flags: z
      .string()
      .regex(/^[ims]{0,3}$/, {
        error: 'expected any of i (capitals do not matter), m (^ and $ at each line) and s (. is a line end too)',
      })
      .optional(),
    turn,
  })
  .superRefine(({ pattern, flags }, context) => refuse(context, 'pattern', patternProblem(pattern, flags)));

const jsonSchema = z
  .strictObject({
    kind: z.literal('json_schema'),
    schema: z
      .record(z.string(), z.unknown())
      .describe('A JSON Schema (2020-12). `format` is not checked.')
      .meta({ id: 'ReplySchema' }),
    turn,
  })
  .superRefine(({ schema }, context) => refuse(context, 'schema', schemaProblem(schema)));

const toolCall = z.strictObject({
  kind: z.literal('tool_call'),
  name: filledText(200).describe('The tool, exactly as the agent’s answers name it.'),
  arguments: z
    .strictObject({
      contains: z
        .array(filledText(LONGEST_TEXT))
        .min(1)
        .max(MOST_TEXTS)
        .optional()
        .describe('What its arguments hold, all of it; capitals do not matter.'),
      json_schema: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('A JSON Schema (2020-12) that its arguments fit. `format` is not checked.')
        .meta({ id: 'ArgumentsSchema' }),
    })
    .superRefine(({ contains: texts, json_schema: schema }, context) => {
      if (texts === undefined && schema === undefined) {
        const message = 'expected contains, json_schema or both; for a call with any arguments, leave arguments out';
        context.addIssue({ code: 'custom', message });
      }
      if (schema !== undefined) refuse(context, 'json_schema', schemaProblem(schema));
    })
    .optional()
    .meta({ id: 'GivenArguments' }),
  times: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('How many such calls there have to be, neither more nor fewer. Default: one at least.'),
  turn,
});

const latency = z.strictObject({
  kind: z.literal('latency_ms'),
  max: most('Milliseconds from sending a message to its whole reply.'),
  percentile: z
    .number()
    .positive()
    .max(100)
    .optional()
    .describe('How many of a hundred replies have to keep to it. Default: every one.'),
});

const tokens = z.strictObject({
  kind: z.literal('tokens'),
  max: most('Of all replies together, as the agent reports them.'),
});

const cost = z.strictObject({
  kind: z.literal('cost_usd'),
  max: most('Of all replies together, as the agent reports it.'),
});

/** What code decides of a criterion, in place of the judge. */
export const givenCheck = z
  .discriminatedUnion('kind', [contains, regex, jsonSchema, toolCall, latency, tokens, cost], {
    error: ({ input }) => unknownKind(input),
  })
  .describe('Decides the criterion by a rule, in place of the judge (docs/checks.md).')
  .meta({ id: 'GivenCheck' });

const KINDS = [contains, regex, jsonSchema, toolCall, latency, tokens, cost].map(({ shape }) => shape.kind.value);

function unknownKind(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('kind' in input)) return undefined;
  return `expected the kind of a check to be one of ${KINDS.join(', ')}`;
}

function refuse(context: z.RefinementCtx, field: string, problem: string | null): void {
  if (problem !== null) context.addIssue({ code: 'custom', path: [field], message: problem });
}
