import { inTurn, type Section } from '../bench';
import { BareStream } from '../processes/bare-stream';
import { SubscriberCrowd, type Gathered } from '../processes/subscriber-crowd';
import { untilFinal } from '../runs';
import { largest, median, rangeOf } from '../statistics';

const SUBSCRIBERS = 1_000;
const SCENARIOS = 10;
const TURNS = 5;
const AGENT_MS = 100;

/** How long it takes to deliver an event to all subscribers of one run. */
export const subscribers: Section = {
  name: 'subscribers',
  about: `${SUBSCRIBERS} subscribers of one run: from the commit until the last one has the event`,
  run: async (bench) => {
    const { service, stubs, agentId, scenarioIds } = await bench.examination({
      scenarios: SCENARIOS + 1,
      models: 'offline',
    });
    const bare = bench.keep(new BareStream());
    const bareUrl = await bare.serve();
    const crowd = bench.keep(new SubscriberCrowd());
    const [first, ...others] = scenarioIds;
    const { floors, values } = await inTurn(
      bench.rounds(3),
      async (round) => {
        bench.progress(`subscribers: round ${round}`);
        await crowd.open(bareUrl, SUBSCRIBERS);
        await bare.tell(SCENARIOS * TURNS, AGENT_MS);
        return complete(await crowd.gather());
      },
      async () => {
        // The first scenario is slow: the subscribers have connected before the measured turns begin.
        await stubs.prepare({ agentMs: OPENING_MS, testerMs: 0, judgeMs: 0 });
        const runId = await service.client.startRun({
          agentId,
          scenarioIds: first === undefined ? others : [first, ...others],
          turns: TURNS,
          concurrency: 1,
        });
        await crowd.open(`${service.client.url}/events?run_id=${runId}`, SUBSCRIBERS);
        await stubs.prepare({ agentMs: AGENT_MS, testerMs: 0, judgeMs: 0 });
        await untilFinal(service.client, runId);
        return complete(await crowd.gather());
      },
    );
    const common = {
      section: 'subscribers',
      load: `${SUBSCRIBERS} subscribers of one run, a turn every ${AGENT_MS} ms`,
      unit: 'ms',
      goal: null,
    } as const;
    const medians = (rounds: number[][]) => rounds.map(median);
    const longest = (rounds: number[][]) => rounds.map(largest);
    bench.report({
      ...common,
      what: 'from the commit until the last subscriber has the event, median of the turns',
      value: median(medians(values)),
      range: rangeOf(medians(values)),
      floor: median(medians(floors)),
    });
    bench.report({
      ...common,
      what: 'the same, longest of the turns',
      value: median(longest(values)),
      range: rangeOf(longest(values)),
      floor: median(longest(floors)),
    });
  },
};

/** The first reply comes after this: longer than it takes to connect all subscribers. */
const OPENING_MS = 3_000;

function complete({ delays, incomplete }: Gathered): number[] {
  if (incomplete > 0 || delays.length === 0) throw new Error(`${incomplete} turns did not reach every subscriber.`);
  return delays;
}
