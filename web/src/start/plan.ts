import {
  clampTurns,
  DEFAULT_REGION,
  estimatedMinutes,
  gravityOf,
  isVoiceOnly,
  servicesIn,
  MUST_PASS_RULE,
  type Region,
} from '../../../src/domain';
import type { Agent } from '../api/agents';
import type { StartRunSet } from '../api/run-sets';
import type { StartOfAgent } from '../api/runs';
import type { Scenario } from '../api/scenarios';
import type { Suite } from '../api/suites';
import { counted } from '../parts/numbers';
import { timeText } from '../parts/time';
import { IN_TEXT, obstacleToVoice, spokenFields, type SpokenDraft } from './spoken-draft';

export type Selection = 'all' | 'tags' | 'suite' | 'scenarios';

/** The contents of the form; numbers and the time are text until they are parsed, `''` is the service's default. */
export interface Draft extends SpokenDraft {
  readonly agentId: string;
  /** The ids of agents that are examined beside it. */
  readonly furtherIds: readonly string[];
  readonly name: string;
  readonly agentVersion: string;
  readonly selection: Selection;
  readonly tags: readonly string[];
  readonly suiteId: string;
  readonly scenarioIds: readonly string[];
  readonly maxScenarios: string;
  readonly trials: string;
  readonly maxTurns: string;
  readonly concurrency: string;
  readonly passThreshold: string;
  readonly region: Region;
  /** A spoken run gets a twin in text, which shows what voice costs. Schedules have none. */
  readonly isInTextToo: boolean;
  /** As `datetime-local` writes it, in the reader's zone. */
  readonly scheduledAt: string;
}

/** All approved scenarios, with the service's defaults. */
export const EMPTY_DRAFT: Draft = {
  agentId: '',
  furtherIds: [],
  name: '',
  agentVersion: '',
  selection: 'all',
  tags: [],
  suiteId: '',
  scenarioIds: [],
  maxScenarios: '',
  trials: '',
  maxTurns: '',
  concurrency: '',
  passThreshold: '',
  region: DEFAULT_REGION,
  ...IN_TEXT,
  isInTextToo: false,
  scheduledAt: '',
};

export interface Library {
  readonly agents: readonly Agent[];
  readonly scenarios: readonly Scenario[];
  readonly suites: readonly Suite[];
}

/** What is sent to start: one run, or a set of them. */
export type Start =
  | { readonly kind: 'run'; readonly body: StartOfAgent; readonly isInTextToo: boolean }
  | { readonly kind: 'set'; readonly body: StartRunSet };

/** Whether the run that is drafted can have a twin in text. */
export function canBeInTextToo(draft: Draft, agents: readonly Agent[]): boolean {
  const agent = agents.find(({ id }) => id === draft.agentId);
  return (
    draft.isSpoken && draft.furtherIds.length === 0 && agent !== undefined && !isVoiceOnly(agent.provider, agent.config)
  );
}

/** What a start would do; `request` is null while something prevents it from being sent. */
export interface Plan {
  readonly sentences: readonly string[];
  readonly obstacle: string | null;
  readonly request: Start | null;
}

const DEFAULT_CONCURRENCY = 6;
const DEFAULT_PASS_THRESHOLD = 50;

/** @param when how the first sentence begins: when the run starts */
export function planOf(
  draft: Draft,
  library: Library,
  when = draft.scheduledAt === '' ? 'Now' : `On ${timeText(draft.scheduledAt)}`,
): Plan {
  const agent = library.agents.find(({ id }) => id === draft.agentId);
  if (agent === undefined) return blocked('Choose the agent to examine.');
  if (!agent.is_active) return blocked('This agent is inactive: activate it first, or choose another.');
  const further = library.agents.filter(({ id }) => id !== agent.id && draft.furtherIds.includes(id));
  const agents = [agent, ...further];
  const obstacle = obstacleToVoice(draft, agents);
  if (obstacle !== null) return blocked(obstacle);
  const chosen = chosenScenarios(draft, library);
  if (typeof chosen === 'string') return blocked(chosen);
  if (chosen.length === 0) return blocked('No scenario matches this selection.');
  const count = draft.selection === 'scenarios' ? chosen.length : atMost(chosen.length, draft.maxScenarios);
  const trials = numberOf(draft.trials) ?? 1;
  const turns = clampTurns(numberOf(draft.maxTurns));
  const concurrency = numberOf(draft.concurrency) ?? DEFAULT_CONCURRENCY;
  const threshold = numberOf(draft.passThreshold) ?? DEFAULT_PASS_THRESHOLD;
  const { country, emergencyNumbers } = servicesIn(draft.region);
  const unrubricked = chosen.slice(0, count).filter(({ rubric_criteria }) => rubric_criteria.length === 0).length;
  const sentences = [
    `${when}, ${namesOf(agents)} examined with ${counted(count, 'scenario')}${trials > 1 ? `, ${trials} times each` : ''}, at most ${concurrency} at a time${further.length > 0 ? ' of each agent' : ''}.`,
    ...gravitySentence(chosen.slice(0, count)),
    `Each is a conversation of ${counted(turns, 'turn')}, so ${further.length > 0 ? 'each' : 'the'} agent gets up to ${counted(count * trials * turns, 'message')}.`,
    `Its patients live in ${country}, where emergency services are called on ${emergencyNumbers.join(' or ')}.`,
    `A scenario passes with at least ${threshold} % of its points and no must-pass criterion violated: ${MUST_PASS_RULE}.`,
  ];
  if (draft.isSpoken) {
    const minutes = estimatedMinutes(count * trials * agents.length, turns);
    sentences.push(
      `Each conversation is a call in real time: about ${counted(minutes, 'minute')} of speech in all, of which the service holds a few calls at a time.`,
    );
  }
  if (canBeInTextToo(draft, library.agents) && draft.isInTextToo) {
    sentences.push(
      `The same scenarios, patients and trials are held in text as well, in a run of its own: its page says what voice costs.`,
    );
  }
  if (further.length > 0) {
    const pairs = (agents.length * (agents.length - 1)) / 2;
    sentences.push(
      `The ${agents.length} runs are started together, and when all have ended ${pairs === 1 ? 'they are' : `each of the ${pairs} pairs is`} compared.`,
    );
  }
  if (unrubricked > 0) {
    sentences.push(`${counted(unrubricked, 'scenario')} without a rubric cannot be marked and will end as errors.`);
  }
  return { sentences, obstacle: null, request: requestOf(draft, further, canBeInTextToo(draft, library.agents)) };
}

/** How grave it is when the agent gets them wrong, the gravest first; nothing where all are alike in that. */
function gravitySentence(scenarios: readonly Scenario[]): string[] {
  const counts = new Map<string, number>();
  for (const { severity = 'unrated' } of scenarios) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  if (counts.size < 2) return [];
  const gravestFirst = [...counts].sort(([one], [other]) => gravityOf(other) - gravityOf(one));
  return [`By severity: ${gravestFirst.map(([severity, count]) => `${count} ${severity}`).join(', ')}.`];
}

function blocked(obstacle: string): Plan {
  return { sentences: [], obstacle, request: null };
}

/** The scenarios that the service would choose, or what still has to be chosen. */
function chosenScenarios(draft: Draft, { scenarios, suites }: Library): Scenario[] | string {
  const byId = new Map(scenarios.map((scenario) => [scenario.scenario_id, scenario]));
  const these = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  switch (draft.selection) {
    case 'all':
      return scenarios.filter(({ approved }) => approved);
    case 'tags':
      if (draft.tags.length === 0) return 'Choose at least one tag.';
      return scenarios.filter(({ approved, tags }) => approved && tags.some((tag) => draft.tags.includes(tag)));
    case 'suite': {
      const suite = suites.find(({ id }) => id === draft.suiteId);
      return suite === undefined ? 'Choose a suite.' : these(suite.scenario_ids);
    }
    case 'scenarios':
      return draft.scenarioIds.length === 0 ? 'Choose at least one scenario.' : these(draft.scenarioIds);
  }
}

/** `Triage agent is`, or `Triage agent, Nurse line and Chat page are each`. */
function namesOf(agents: readonly Agent[]): string {
  const names = agents.map(({ name }) => name);
  const last = names.at(-1) ?? '';
  return names.length < 2 ? `${last} is` : `${names.slice(0, -1).join(', ')} and ${last} are each`;
}

function requestOf(draft: Draft, further: readonly Agent[], canHaveTwin: boolean): Start {
  const version = draft.agentVersion.trim() === '' ? {} : { agent_version: draft.agentVersion.trim() };
  const conditions = conditionsOf(draft);
  if (further.length === 0) {
    const body = { ...conditions, ...version, agent_id: draft.agentId };
    return { kind: 'run', body, isInTextToo: canHaveTwin && draft.isInTextToo };
  }
  const agents = [draft.agentId, ...further.map(({ id }) => id)].map((agent_id) => ({ agent_id, ...version }));
  return { kind: 'set', body: { ...conditions, agents } };
}

/** What is the same for every agent. */
function conditionsOf(draft: Draft): Omit<StartOfAgent, 'agent_id' | 'agent_version'> {
  const number = (text: string) => numberOf(text);
  const max_scenarios = draft.selection === 'scenarios' ? undefined : number(draft.maxScenarios);
  const trials = number(draft.trials);
  const max_turns = number(draft.maxTurns);
  const concurrency_limit = number(draft.concurrency);
  const pass_threshold = number(draft.passThreshold);
  return {
    ...(draft.name.trim() !== '' && { name: draft.name.trim() }),
    ...(draft.selection === 'tags' && { tags: draft.tags }),
    ...(draft.selection === 'suite' && { test_suite_id: draft.suiteId }),
    ...(draft.selection === 'scenarios' && { scenario_ids: draft.scenarioIds }),
    ...(max_scenarios !== undefined && { max_scenarios }),
    ...(trials !== undefined && { trials }),
    ...(max_turns !== undefined && { max_turns }),
    ...(concurrency_limit !== undefined && { concurrency_limit }),
    ...(pass_threshold !== undefined && { pass_threshold }),
    region: draft.region,
    ...spokenFields(draft),
    ...(draft.scheduledAt !== '' && { scheduled_at: new Date(draft.scheduledAt).toISOString() }),
  };
}

function atMost(count: number, limit: string): number {
  return Math.min(count, numberOf(limit) ?? count);
}

function numberOf(text: string): number | undefined {
  return text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
}
