import { z } from 'zod';
import { checked, isWrong } from '../import/checked';

/**
 * A line of HealthBench's meta-evaluation (https://arxiv.org/abs/2505.08775): a conversation, an answer to it, one criterion, and what
 * physicians decided about it. Other fields are ignored.
 */
const line = z.object({
  prompt: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
  completion: z.string().min(1),
  rubric: z.string().min(1),
  binary_labels: z.array(z.boolean()).min(1),
  anonymized_physician_ids: z.array(z.string()).optional(),
  completion_id: z.string().min(1).max(200),
});
type Line = z.output<typeof line>;

export interface MetaEvaluation {
  /** Lines with the same one are about the same answer. */
  readonly id: string;
  readonly transcript: readonly { readonly role: string; readonly content: string }[];
  readonly criterion: object;
}

export function isMetaEvaluation(value: Readonly<Record<string, unknown>>): boolean {
  return 'completion' in value && 'binary_labels' in value;
}

/**
 * The criterion is about the answer alone: what HealthBench's assistant said before is put into the patient's message, as part of what was
 * asked, so that it proves nothing.
 */
export function readMetaEvaluation(value: Record<string, unknown>): MetaEvaluation | { readonly wrong: string } {
  const read = checked(line, value);
  if (isWrong(read)) return read;
  const { prompt, completion, rubric, completion_id: id } = read.data;
  return {
    id,
    transcript: [
      { role: 'patient', content: askedIn(prompt) },
      { role: 'agent', content: completion },
    ],
    criterion: { criterion: rubric, points: 1, tags: ['healthbench'], labels: labelsOf(read.data) },
  };
}

/** The question, which includes what another assistant had answered before. */
export function askedIn(prompt: Line['prompt']): string {
  const said = prompt.filter(({ role }) => role === 'user' || role === 'assistant');
  const [only] = said;
  if (said.length === 1 && only !== undefined) return only.content;
  return said.map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${content}`).join('\n\n');
}

/** Raters are named by the physicians' ids; where a line has none, or an id twice, by their positions. */
function labelsOf({ binary_labels: labels, anonymized_physician_ids: ids = [] }: Line) {
  const isNamed = ids.length === labels.length && new Set(ids).size === ids.length;
  return labels.map((isMet, at) => ({
    rater: (isNamed ? ids[at] : undefined) ?? `physician ${at + 1}`,
    decision: isMet ? 'MET' : 'NOT MET',
  }));
}
