import type { Bench, Examination, Section } from '../bench';
import type { StreamedEvent } from '../event-subscriber';
import { ReferenceAgent } from '../reference-agent';
import { runToEnd } from '../runs';
import { median, rangeOf } from '../statistics';

const TURNS = 5;
const SCENARIOS = 10;
const CONCURRENCY = 3;
const LOAD = `${SCENARIOS} scenarios, ${CONCURRENCY} at once, ${TURNS} turns, an agent that answers at once, offline tester`;

/** The kinds whose agents need no third-party server; test:voice prints the figures of the others. */
const KINDS = [
  { kind: 'openai', script: 'openai-compatible.mjs' },
  { kind: 'vapi', script: 'vapi-like.mjs' },
  { kind: 'http', script: 'any-http.mjs' },
  { kind: 'browser', script: 'chat-page/server.mjs' },
];

/** The time that each kind of agent costs apart from its own thinking. */
export const providerKinds: Section = {
  name: 'provider-kinds',
  about: 'start to first turn, and time of a turn, with agents of several kinds that answer at once',
  run: async (bench) => {
    const examination = await bench.examination({ scenarios: SCENARIOS, models: 'offline' });
    for (const { kind, script } of KINDS) await measure(bench, examination, kind, script);
  },
};

async function measure(
  bench: Bench,
  { service, scenarioIds }: Examination,
  kind: string,
  script: string,
): Promise<void> {
  bench.progress(`provider-kinds: ${kind}`);
  const agent = bench.keep(await ReferenceAgent.start(script));
  const agentId = await service.client.register(agent.registration);
  const request = { agentId, scenarioIds, turns: TURNS, concurrency: CONCURRENCY };
  // The first run of a kind loads what it needs.
  await runToEnd(service.client, request);
  const times = new TurnTimes();
  await runToEnd(service.client, request, times.hear);
  const report = (what: string, values: readonly number[]): void =>
    bench.report({
      section: 'provider-kinds',
      what: `${kind}: ${what}`,
      load: LOAD,
      unit: 'ms',
      value: median(values),
      range: rangeOf(values),
      floor: null,
      goal: null,
    });
  report('from a scenario’s start to its first turn', times.starts);
  report('from a message to the whole reply', times.replies);
  report('from one turn to the next', times.turns);
}

/** Collects, from the events of a run, the times until conversations begin, until replies arrive, and of whole turns. */
class TurnTimes {
  readonly starts: number[] = [];
  readonly replies: number[] = [];
  /** The time to know that a reply is complete, including the commit and the next message. */
  readonly turns: number[] = [];
  private readonly startedAt = new Map<string, number>();
  private readonly lastTurnAt = new Map<string, number>();

  readonly hear = ({ type, scenario_run_id: id, turn, latency_ms }: StreamedEvent, heardAt: number): void => {
    if (id === undefined) return;
    if (type === 'scenario_started') this.startedAt.set(id, heardAt);
    if (type !== 'transcript_update' || latency_ms === undefined) return;
    this.replies.push(latency_ms);
    const startedAt = this.startedAt.get(id);
    if (turn === 1 && startedAt !== undefined) this.starts.push(heardAt - startedAt);
    const lastTurnAt = this.lastTurnAt.get(id);
    if (lastTurnAt !== undefined) this.turns.push(heardAt - lastTurnAt);
    this.lastTurnAt.set(id, heardAt);
  };
}
