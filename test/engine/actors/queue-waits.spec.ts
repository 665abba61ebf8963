import { randomUUID } from 'node:crypto';
import { subjects } from '../../../src/engine/bus/bus';
import { PrometheusMetrics } from '../../../src/platform/telemetry/metrics/prometheus.metrics';
import { eventually } from '../../setup/eventually';
import { watchedIntakes } from '../../setup/watched-intakes';

const { runs, open, oneScenarioRun } = watchedIntakes();

/** What was measured of the waits: their number, and their sum in seconds. */
async function waitsIn(metrics: PrometheusMetrics) {
  const text = await metrics.scrape();
  const [count, sum] = ['count', 'sum'].map((what) =>
    Number(new RegExp(`^osce_queue_wait_seconds_${what} ([\\d.e+-]+)$`, 'm').exec(text)?.[1] ?? 0),
  );
  return { count, sum };
}

describe('the wait of a piece of work', () => {
  test('is measured in seconds, of the first attempt alone, and only where it is known', async () => {
    const metrics = new PrometheusMetrics([]);
    const { bus, actors } = open({}, { metrics });
    const { testRunId, scenarioRunId, other } = await oneScenarioRun();
    const enqueue = (id: string, work: object = {}) =>
      bus.enqueue(
        subjects.scenarioRunWork,
        { test_run_id: testRunId, scenario_run_id: id, ...work },
        { messageId: randomUUID() },
      );
    await enqueue(other);
    await eventually(() => expect(actors.begun).toEqual([other]));
    expect(await waitsIn(metrics)).toEqual({ count: 0, sum: 0 });
    const waited = 3_600_000;
    await enqueue(scenarioRunId, { enqueued_ms: Date.now() - waited });
    await eventually(() => expect(actors.begun).toEqual([other, scenarioRunId]));
    const { count, sum } = await waitsIn(metrics);
    expect(count).toBe(1);
    expect(sum).toBeGreaterThanOrEqual(3_600);
    expect(sum).toBeLessThan(3_660);
    await runs().ownership.releaseAll();
    actors.finish('released');
    await eventually(() => expect(actors.begun).toEqual([other, scenarioRunId, scenarioRunId]));
    expect(await waitsIn(metrics)).toEqual({ count, sum });
    actors.finish('done');
  });
});
