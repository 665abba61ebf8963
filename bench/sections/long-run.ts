import { inTurn, type Section } from '../bench';
import { runToEnd } from '../runs';
import { median, rangeOf } from '../statistics';
import { warmUp } from './efficiency';

const SHORT = 600;
const LONG = 6_000;
const CONCURRENCY = 30;
const TURNS = 5;

/** Whether a scenario run costs more in a long run than in a short one. */
export const longRun: Section = {
  name: 'long-run',
  about: `time a scenario run in a run of ${LONG}, compared with a run of ${SHORT}; instant answers`,
  run: async (bench) => {
    const examination = await bench.examination({ scenarios: LONG, models: 'offline' });
    const { service, stubs, agentId, scenarioIds } = examination;
    await warmUp(examination, bench.startLoop(stubs), false);
    const timeOf = async (scenarios: number): Promise<number> => {
      const request = { agentId, scenarioIds: scenarioIds.slice(0, scenarios), turns: TURNS, concurrency: CONCURRENCY };
      return (await runToEnd(service.client, request)).wallMs / scenarios;
    };
    await timeOf(SHORT);
    const { floors, values } = await inTurn(
      bench.rounds(3),
      (round) => {
        bench.progress(`long-run: round ${round}`);
        return timeOf(SHORT);
      },
      () => timeOf(LONG),
    );
    bench.report({
      section: 'long-run',
      what: `time a scenario run in a run of ${LONG} (floor: of ${SHORT})`,
      load: `${CONCURRENCY} at once, ${TURNS} turns, instant answers, tester and judge offline`,
      unit: 'ms',
      value: median(values),
      range: rangeOf(values),
      floor: median(floors),
      goal: { of: 'ratio', is: 'at most', limit: 1.05 },
    });
  },
};
