import { z } from 'zod';
import { oneLine } from '../output/harmless-text';
import { checked, isWrong } from './checked';
import { IMPORT_KEY, type ImportDefaults, type ImportEntry, type Refused } from './entry';
import { refusedAt } from './refused-at';
import type { Place } from './values-in';
import { createScenarioRequest } from '../../contract/scenarios';

/** A line of HealthBench (https://arxiv.org/abs/2505.08775): other fields are ignored. */
const line = z.object({
  prompt_id: z.string().min(1).max(200),
  prompt: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
  rubrics: z
    .array(z.object({ criterion: z.string(), points: z.number(), tags: z.array(z.string()).default([]) }))
    .min(1),
  example_tags: z.array(z.string()).default([]),
});
type Line = z.output<typeof line>;
type Message = Line['prompt'][number];

const THEME = /^theme:(.+)$/;
const LONGEST_COMPLAINT = 10_000;
const NAME_CHARACTERS = 70;

/** Directions to the tester that plays the patient; the offline patient also recognises lines that begin like this as directions. */
const STAY = 'Stay with what your first message says; asked for more, say that you do not know.';
const SPEAK =
  'Speak your next messages in the order in which they stand below, one at a time and close to their words, the last of them before the conversation ends.';

export function isHealthBenchLine(value: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(value['prompt']) && Array.isArray(value['rubrics']);
}

/**
 * HealthBench grades one answer to a given conversation; here the agent holds the conversation itself. So what its
 * user says is played: the first message opens, word for word, and is the chief complaint; the later ones are the script, in
 * their order. What HealthBench's assistant said in between is not played, since the agent under examination answers for
 * itself; it is kept, with everything else of the prompt, in `content.healthbench`.
 */
export function readHealthBenchLine(
  value: Record<string, unknown>,
  place: Place,
  { category, tags }: ImportDefaults,
): ImportEntry | Refused {
  const { where } = place;
  const read = checked(line, value);
  if (isWrong(read)) return refusedAt(place, read.issues);
  const { prompt, prompt_id, rubrics, example_tags } = read.data;
  const said = prompt
    .filter(({ role, content }) => role === 'user' && content.trim() !== '')
    .map(({ content }) => content);
  const [opening, ...later] = said;
  if (opening === undefined)
    return refusedAt(place, [{ path: ['prompt'], message: 'has no message of the role user' }]);
  const importKey = `healthbench:${prompt_id}`;
  const theme = example_tags.map((tag) => THEME.exec(tag)?.[1]).find((found) => found !== undefined);
  const fields = checked(createScenarioRequest, {
    name: nameOf(said.at(-1) ?? opening, prompt_id),
    category: category ?? theme ?? 'healthbench',
    content: {
      script: scriptOf(opening, later),
      // Its own graders decide met or not met.
      rubric_scale: 'binary',
      demographics: {},
      chief_complaint: opening.slice(0, LONGEST_COMPLAINT).toWellFormed(),
      initial_message: opening,
      healthbench: { prompt_id, prompt },
      [IMPORT_KEY]: importKey,
    },
    rubric_criteria: rubrics,
    tags: [...new Set(['healthbench', ...example_tags, ...tags])],
  });
  if (isWrong(fields)) return refusedAt(place, fields.issues);
  const { name, category: chosen, severity, scenario_type, content, rubric_criteria, tags: allTags } = fields.data;
  return {
    where,
    key: importKey,
    isKeyed: true,
    scenarioId: null,
    fields: {
      name,
      category: chosen,
      severity,
      scenario_type,
      priority: null,
      content,
      rubric_criteria,
      tags: allTags,
    },
    approved: null,
    remarks: remarksOn(prompt, later.length),
  };
}

function scriptOf(opening: string, later: readonly string[]): string {
  if (later.length === 0) return `${STAY}\n${opening}`;
  return [STAY, SPEAK, ...later].join('\n');
}

/** Named after the message to be answered, which is the last one. */
function nameOf(question: string, promptId: string): string {
  const words = Array.from(oneLine(question));
  const short =
    words.length > NAME_CHARACTERS
      ? `${words
          .slice(0, NAME_CHARACTERS - 1)
          .join('')
          .trimEnd()}…`
      : words.join('');
  return `${short || 'HealthBench'} [${promptId.slice(0, 8)}]`.toWellFormed();
}

/** The fewest turns a conversation has: an opening and this many later messages are certain to be said. */
const CERTAIN_LATER = 4;

function remarksOn(prompt: readonly Message[], later: number): string[] {
  const others = prompt.filter(({ role }) => role !== 'user' && role !== 'assistant');
  return [
    ...(others.length > 0 ? ['have system messages, which are kept but not sent to the agent'] : []),
    ...(prompt.some(({ role }) => role === 'assistant')
      ? ["have earlier answers of HealthBench's assistant, which are kept but not played"]
      : []),
    ...(later > CERTAIN_LATER
      ? ['have more than 5 patient messages: run them with --turns 7, or the last may not be said']
      : []),
  ];
}
