import { inTurn, type Section } from '../bench';
import { StubServers, type StubDelays } from '../processes/stub-servers';
import { runToEnd } from '../runs';
import { benchScenarios } from '../scenarios';
import { Servers } from '../servers';
import type { RunRequest } from '../service-client';
import { ServiceProcess } from '../service-process';
import { median, rangeOf } from '../statistics';

const SCENARIOS = 240;
const TURNS = 5;
const CONCURRENCY = 60;
/** The places of one process: alone it can hold half of what the run may have under way. */
const SLOTS = 30;
const DELAYS: StubDelays = { agentMs: 200, testerMs: 0, judgeMs: 0 };
const INSTANT: StubDelays = { agentMs: 0, testerMs: 0, judgeMs: 0 };

/** How much sooner two processes end a run than one that has no room for more. */
export const scaling: Section = {
  name: 'scaling',
  about: 'one run on two processes, compared with the same run on one; needs a nats-server',
  run: async (bench) => {
    const stubs = bench.keep(await StubServers.start());
    const { settings } = bench.keep(await Servers.start());
    const start = async (): Promise<ServiceProcess> =>
      ServiceProcess.start({ settings: { ...settings, MAX_ACTIVE_SCENARIOS: String(SLOTS) } });
    const first = bench.keep(await start());
    const agentId = await first.client.createAgent(stubs.agentUrl);
    const scenarioIds = await first.client.createScenarios(benchScenarios(SCENARIOS));
    const request: RunRequest = { agentId, scenarioIds, turns: TURNS, concurrency: CONCURRENCY };
    const run = async (delays: StubDelays): Promise<number> => {
      await stubs.prepare(delays);
      return (await runToEnd(first.client, request)).wallMs;
    };
    // Warms up the compiler.
    await run(INSTANT);
    const { floors, values } = await inTurn(
      bench.rounds(3),
      async (round) => {
        bench.progress(`scaling: round ${round}`);
        return run(DELAYS);
      },
      async () => {
        const second = bench.keep(await start());
        await run(INSTANT);
        const wallMs = await run(DELAYS);
        await second.stop();
        return wallMs;
      },
    );
    bench.report({
      section: 'scaling',
      what: 'a run on two processes (floor: on one)',
      load: `${SCENARIOS} scenarios, ${CONCURRENCY} at once, ${SLOTS} a process, ${TURNS} turns, agent at ${DELAYS.agentMs} ms`,
      unit: 'ms',
      value: median(values),
      range: rangeOf(values),
      floor: median(floors),
      goal: { of: 'ratio', is: 'at most', limit: 0.55 },
    });
  },
};
