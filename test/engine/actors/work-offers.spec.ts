import { randomUUID } from 'node:crypto';
import { WorkOffers } from '../../../src/engine/actors/reconciler';
import { InProcessBus } from '../../../src/engine/bus/in-process.bus';
import { subjects } from '../../../src/engine/bus/bus';
import { settingsFrom } from '../../../src/platform/config/settings';
import type { Standing } from '../../../src/engine/ledger/ownership.store';

const ROUNDS_UNTIL_ALL = 5;

function unowned(testRunId: string, count: number, attempt = 0): Standing[] {
  return Array.from({ length: count }, () => ({
    scenarioRunId: randomUUID(),
    testRunId,
    status: 'pending',
    attempt,
    isUnowned: true,
  }));
}

/** Answers the scenario runs that a consumer is given. */
async function offered(capacity: number, rounds: number, runs: readonly (readonly Standing[])[]): Promise<string[]> {
  const bus = new InProcessBus();
  const offers = new WorkOffers(bus, settingsFrom({ MAX_ACTIVE_SCENARIOS: String(capacity) }));
  for (let round = 0; round < rounds; round += 1) await offers.offer(runs);
  await bus.enqueue(subjects.scenarioRunWork, { scenario_run_id: 'end' }, { messageId: 'end' });
  const ids: string[] = [];
  await new Promise<void>((resolve) => {
    bus.consume(subjects.scenarioRunWork, 100_000, ({ payload }) => {
      const { scenario_run_id: id } = payload as { scenario_run_id: string };
      if (id === 'end') resolve();
      else ids.push(id);
    });
  });
  await bus.close();
  return ids;
}

describe('work that nobody executes', () => {
  test('is offered again, but for what was never claimed only now and then', async () => {
    const begun = unowned('run', 2, 1);
    const fresh = unowned('run', 2);
    const idsOf = (standings: readonly Standing[]) => standings.map(({ scenarioRunId }) => scenarioRunId);
    expect(await offered(500, 1, [[...fresh, ...begun]])).toEqual(idsOf(begun));
    expect(await offered(500, ROUNDS_UNTIL_ALL, [[...fresh, ...begun]])).toEqual(idsOf([...begun, ...fresh]));
  });

  test.each([0, 1])(
    'is never offered beyond what a process can execute, in the order of the run (attempt %i)',
    async (attempt) => {
      const waiting = unowned('run', 9_500, attempt);
      const ids = await offered(500, ROUNDS_UNTIL_ALL, [waiting]);
      expect(ids).toEqual(waiting.slice(0, 500).map(({ scenarioRunId }) => scenarioRunId));
    },
  );

  test('of many runs is offered in turns', async () => {
    const runs = [unowned('large', 1_000), unowned('small', 3), unowned('none', 0)];
    const ids = await offered(10, ROUNDS_UNTIL_ALL, runs);
    expect(ids).toHaveLength(10);
    expect(runs[1]?.every(({ scenarioRunId }) => ids.includes(scenarioRunId))).toBe(true);
  });
});
