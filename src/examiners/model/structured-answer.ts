import type { z } from 'zod';
import type { AnswerFormat, Prompt, PromptMessage } from './language-model';
import type { ModelUsage } from './model-usage';

/** What came back from one call, whichever vendor's model it is. */
export interface RawAnswer {
  readonly text: string;
  /** Whether it ended at the token limit. */
  readonly isCutOff: boolean;
  readonly usage: ModelUsage;
  readonly answeredBy: string | null;
}

export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; /** Ends a sentence that begins with the answer. */ readonly fault: string };

/** Many times what the largest rubric needs: checking the shape costs time for each value. */
const MOST_VALUES = 20_000;

/** The answer in the requested shape, or what is wrong with it. Linear in its length. */
export function parsed<Schema extends z.ZodType>(
  { text, isCutOff }: RawAnswer,
  { schema }: AnswerFormat<Schema>,
): Parsed<z.output<Schema>> {
  if (isCutOff) return { ok: false, fault: 'it was cut off at the token limit.' };
  const json = jsonIn(text);
  if (json === undefined) return { ok: false, fault: 'it was not JSON.' };
  if (holdsMoreThan(MOST_VALUES, json)) return { ok: false, fault: 'it was far too long.' };
  const checked = schema.safeParse(json);
  if (checked.success) return { ok: true, value: checked.data };
  const issues = checked.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'answer'}: ${message}`);
  return { ok: false, fault: `it did not have the required shape (${issues.join('; ')}).` };
}

const FENCE = '```';
const END_OF_THOUGHT = '</think>';

/**
 * The whole text as JSON, without the thoughts that some models write before it and the code fence that some put around it. JSON
 * in the middle of other words is not an answer: it may quote what an agent said.
 */
function jsonIn(text: string): unknown {
  const whole = jsonOf(text);
  if (whole !== undefined) return whole;
  const after = text.lastIndexOf(END_OF_THOUGHT);
  const answer = (after < 0 ? text : text.slice(after + END_OF_THOUGHT.length)).trim();
  if (!answer.startsWith(FENCE) || !answer.endsWith(FENCE)) return after < 0 ? undefined : jsonOf(answer);
  const firstLine = answer.indexOf('\n');
  return firstLine < 0 ? undefined : jsonOf(answer.slice(firstLine, -FENCE.length));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Looks at no more values than the limit, however deep they are nested. */
function holdsMoreThan(limit: number, json: unknown): boolean {
  const left: unknown[] = [json];
  for (let seen = 0; seen <= limit; seen += 1) {
    if (left.length === 0) return false;
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inner: unknown[] = Object.values(value);
    if (inner.length + left.length > limit) return true;
    for (const item of inner) left.push(item);
  }
  return true;
}

/** A longer answer is not sent back to the model. */
const MOST_CHARACTERS_SHOWN = 100_000;

/** Shows the model its answer and the fault; an answer that was cut off is asked for again with more room instead. */
export function repairOf(prompt: Prompt, { text, isCutOff }: RawAnswer, fault: string): Prompt {
  if (isCutOff || text.trim() === '' || text.length > MOST_CHARACTERS_SHOWN) {
    const note: PromptMessage = { role: 'user', content: 'Answer briefly: an earlier answer was too long.' };
    return { ...prompt, messages: [...prompt.messages, note], maxTokens: prompt.maxTokens * 2 };
  }
  return {
    ...prompt,
    messages: [
      ...prompt.messages,
      { role: 'assistant', content: text.trim() },
      {
        role: 'user',
        content: `That answer cannot be used: ${fault} Give the whole answer again in the required shape.`,
      },
    ],
  };
}
