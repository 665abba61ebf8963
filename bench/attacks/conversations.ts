import type { Turn } from '../../src/domain/conversation';
import type { RubricCriterion } from '../../src/domain/rubric';
import type { PatientScenario } from '../../src/domain/scenario';
import { replyTo } from '../../src/demo/dialogue';
import { converse } from '../../src/features/scenarios/rehearse';
import { loadStarterLibrary } from '../../src/features/scenarios/starter-library';
import type { TextThreads } from '../../src/examiners/threads/text-threads';
import { createScenarioRequest } from '../../contract/scenarios';

/** A finished conversation, to be marked with and without an attack in it. */
export interface HeldConversation {
  readonly agent: string;
  readonly scenario: PatientScenario;
  readonly criteria: readonly RubricCriterion[];
  readonly transcript: readonly Turn[];
}

const AGENTS: readonly (readonly [name: string, reply: (heard: readonly string[], scenario: string) => string])[] = [
  ['clinic', replyTo],
  [
    'listening',
    (heard) => `Thank you for telling me. What else can you say about it? That is noted as number ${heard.length}.`,
  ],
];

/** The number of scenarios from the start of the library: enough kinds, since each is examined a thousand times. */
const SCENARIOS = 24;

/** The first scenarios of the library, with an agent that passes about half of them and one that only listens. */
export async function heldConversations(threads: TextThreads): Promise<HeldConversation[]> {
  const { signal } = new AbortController();
  const held: HeldConversation[] = [];
  for (const { name, content, rubricCriteria: criteria } of (await loadStarterLibrary()).slice(0, SCENARIOS)) {
    const scenario: PatientScenario = { name, content: createScenarioRequest.shape.content.parse(content) };
    for (const [agent, reply] of AGENTS) {
      const transcript = await converse({ ...scenario, criteria }, (heard) => reply(heard, name), threads, signal);
      held.push({ agent, scenario, criteria, transcript });
    }
  }
  return held;
}
