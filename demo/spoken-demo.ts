import { once } from 'node:events';
import pc from 'picocolors';
import type { OwnService } from '../cli/own-service';
import { oneLine } from '../cli/output/harmless-text';
import type { Screen } from '../cli/output/terminal';
import { resultsTable } from '../cli/watch/results';
import { callTime } from '../src/domain';
import { DemoFailure, Interruption } from './demo-failure';
import { examine } from './examination';
import { ServiceApi, type Agent, type Conversation, type ScenarioRun } from './service-api';
import { startSpokenBench } from './spoken-bench';

export interface SpokenDemo {
  readonly screen: Screen;
  readonly say: (line: string) => void;
  /** Aborted to end it: by an Interruption, or by what went wrong. */
  readonly end: AbortController;
  readonly startService: (settings: Readonly<Record<string, string>>, end: AbortController) => Promise<OwnService>;
}

const SCENARIO = 'Crushing chest pain at rest';
const PHONE_AGENT = {
  name: 'Demo phone agent',
  description: 'Answers calls as Twilio Media Streams carries them, with fixed replies spoken by espeak-ng.',
  provider: 'media-stream',
};
/** The same patient's sound each time. */
const SEED = 1;

/** Examines the demo phone agent by voice, and lets the call be heard until it is interrupted. @throws DemoFailure */
export async function demonstrateByVoice({ screen, say, end, startService }: SpokenDemo): Promise<void> {
  const { signal } = end;
  say(pc.bold('Agent OSCE: a clinical examination of an AI agent, by voice'));
  const bench = await startSpokenBench(signal);
  try {
    say('Starting a separate service, with its data in a temporary folder …');
    const service = await startService(bench.environment, end);
    try {
      const api = new ServiceApi(service.url, signal);
      const agent = await api.createAgent({
        ...PHONE_AGENT,
        config: { url: bench.agent.url, closing_ends_conversation: true },
      });
      say(`Ringing ${pc.cyan(agent.name)} with one patient, over a telephone line; no key and no network is used.`);
      say('Patient and agent speak with espeak-ng. The ear is no recogniser: it knows the sentences that this agent');
      say('can say and finds them by their sound, so how well it hears is no evidence of anything. Times are.');
      const [scenarioRun] = await examineByVoice(api, agent, screen, signal);
      if (scenarioRun === undefined) throw new DemoFailure('The run has no conversation.');
      say(resultsTable(screen, [scenarioRun]));
      const conversation = await api.conversation(scenarioRun.id);
      for (const line of [...callLines(conversation), ...evidenceLines(conversation)]) say(line);
      await sayWhereToListen(api, scenarioRun, say);
      await untilInterrupted(signal);
      process.exitCode = 0;
    } finally {
      await service.stop();
    }
  } finally {
    await bench.close();
  }
}

async function examineByVoice(
  api: ServiceApi,
  agent: Agent,
  screen: Screen,
  signal: AbortSignal,
): Promise<readonly ScenarioRun[]> {
  const scenario = (await api.scenarios()).find(({ name }) => name === SCENARIO);
  if (scenario === undefined) throw new DemoFailure(`The library has no scenario "${SCENARIO}".`);
  // The demo agent takes each pause for the end of a turn, so that its patient does not interrupt; and a limit on times that a busy machine
  // cannot measure would leave the call without a verdict.
  const { speech: _speech, speech_limits: _limits, ...content } = scenario.content;
  await api.changeContent(scenario.scenario_id, content);
  const wanted = {
    agent_id: agent.id,
    scenario_ids: [scenario.scenario_id],
    name: 'Spoken demonstration',
    modality: 'spoken',
    spoken: { line: 'phone', seed: SEED },
  } as const;
  const { scenarioRuns } = await examine(api, wanted, screen, signal);
  for (const { status, error_message } of scenarioRuns) {
    if (status !== 'error') continue;
    throw new DemoFailure(`The call was not examined: ${oneLine(error_message ?? 'without a reason')}`);
  }
  return scenarioRuns;
}

/** The call as it was heard, with when each began and how long the agent took. */
function callLines({ transcript }: Conversation): string[] {
  return transcript.map(({ role, content, spoken }) => {
    const latency = spoken?.latency_ms ?? null;
    const isTimed = role === 'agent' && latency !== null && spoken?.timing_reliable === true;
    const after = isTimed ? pc.dim(` (after ${(latency / 1_000).toFixed(2)} s)`) : '';
    return `  ${clock(spoken?.from_ms ?? null)}  ${role.padEnd(7)}  ${oneLine(content)}${after}`;
  });
}

function evidenceLines({ criteria_results }: Conversation): string[] {
  const lines = (criteria_results ?? []).flatMap(({ criterion, points, evidence }) => {
    const [first] = evidence;
    if (first?.from_ms === undefined) return [];
    return [`  ${clock(first.from_ms)}  ${points > 0 ? '+' : ''}${points}  ${oneLine(criterion)}`];
  });
  return lines.length === 0 ? [] : ['Marks, and where the words are heard:', ...lines];
}

/** A time of the call; as wide where it is not known. */
function clock(ms: number | null): string {
  return ms === null ? '    ' : callTime(ms);
}

async function sayWhereToListen(api: ServiceApi, { id }: ScenarioRun, say: (line: string) => void): Promise<void> {
  say('\nListen, until you end the demonstration with Ctrl-C:');
  if (await api.hasPage()) {
    say(`  each mark with its words  ${pc.cyan(`${api.url}/scenario-runs/${id}`)}`);
  }
  say(`  the whole call            ${pc.cyan(`${api.url}/api/v1/scenario-runs/${id}/recording.wav`)}`);
}

/** @throws what else ended it */
async function untilInterrupted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  if (!(signal.reason instanceof Interruption)) throw signal.reason;
}
