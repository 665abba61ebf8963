import { inTurn, type Bench, type Examination, type Section } from '../bench';
import { EventSubscriber, type StreamedEvent } from '../event-subscriber';
import type { BareLoop } from '../processes/bare-loop';
import { answeredAt, type StubDelays } from '../processes/stub-servers';
import { runToEnd } from '../runs';
import { median, percentile, rangeOf } from '../statistics';
import { warmUp } from './efficiency';

const TURNS = 5;
const DELAYS: StubDelays = { agentMs: 200, testerMs: 200, judgeMs: 0 };
const LOADS = [
  { conversations: 30, concurrency: 6 },
  { conversations: 60, concurrency: 30 },
];

/** From the agent's reply to the subscriber's event, with the commit in between. */
export const eventLatency: Section = {
  name: 'event-latency',
  about: 'from the agent’s reply to the subscriber’s event, committed in between',
  run: async (bench) => {
    const examination = await bench.examination({ scenarios: 100, models: 'stub' });
    const loop = bench.startLoop(examination.stubs);
    await warmUp(examination, loop);
    for (const load of LOADS) await measure(bench, examination, loop, load);
  },
};

async function measure(
  bench: Bench,
  { service, stubs, agentId, scenarioIds }: Examination,
  loop: BareLoop,
  { conversations, concurrency }: (typeof LOADS)[number],
): Promise<void> {
  const streamUrl = await loop.stream();
  const { floors, values } = await inTurn(
    bench.rounds(3),
    async (round) => {
      bench.progress(`event-latency: ${conversations} at ${concurrency}, round ${round}`);
      await stubs.prepare(DELAYS);
      const delays = new Delays();
      const subscriber = await EventSubscriber.open(streamUrl, delays.hear);
      await loop.converse({ conversations, concurrency, turns: TURNS, withModels: true });
      subscriber.close();
      return delays.all;
    },
    async () => {
      await stubs.prepare(DELAYS);
      const delays = new Delays();
      const request = { agentId, scenarioIds: scenarioIds.slice(0, conversations), turns: TURNS, concurrency };
      await runToEnd(service.client, request, delays.hear);
      return delays.all;
    },
  );
  const at = (percent: number, rounds: number[][]) => rounds.map((delays) => percentile(delays, percent));
  for (const percent of [50, 99]) {
    bench.report({
      section: 'event-latency',
      what: `from the agent’s reply to the subscriber’s event, p${percent}`,
      load: `${conversations} scenarios, ${concurrency} at once, ${TURNS} turns, agent and tester at 200 ms`,
      unit: 'ms',
      value: median(at(percent, values)),
      range: rangeOf(at(percent, values)),
      floor: median(at(percent, floors)),
      goal: percent === 99 ? { of: 'value', is: 'at most', limit: 12 } : null,
    });
  }
}

/** Collects the time from the agent's answer to the event of each turn. */
export class Delays {
  readonly all: number[] = [];

  readonly hear = ({ agent_message }: StreamedEvent, heardAt: number): void => {
    const at = agent_message === undefined ? null : answeredAt(agent_message);
    if (at !== null) this.all.push(heardAt - at);
  };
}
