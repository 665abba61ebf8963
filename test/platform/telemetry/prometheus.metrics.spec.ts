import { PrometheusMetrics } from '../../../src/platform/telemetry/metrics/prometheus.metrics';

it('gives every scrape every gauge, also those that begin while another is under way', async () => {
  const metrics = new PrometheusMetrics([]);
  let reads = 0;
  const answers: (() => void)[] = [];
  metrics.gauge('osce_ready', () => {
    reads += 1;
    return [{ labels: {}, value: 1 }];
  });
  metrics.gauge('osce_live_scenario_runs', async () => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return [{ labels: {}, value: 1 }];
  });
  const answerAll = () => answers.splice(0).forEach((answer) => answer());
  const first = metrics.scrape();
  await new Promise(setImmediate);
  const second = metrics.scrape();
  await new Promise(setImmediate);
  answerAll();
  for (const text of await Promise.all([first, second])) {
    expect(text).toMatch(/^osce_ready 1$/m);
    expect(text).toMatch(/^osce_live_scenario_runs 1$/m);
  }
  expect(reads).toBe(1);

  const third = metrics.scrape();
  await new Promise(setImmediate);
  answerAll();
  expect(await third).toMatch(/^osce_live_scenario_runs 1$/m);
  expect(reads).toBe(2);
});

describe('a gauge whose question fails', () => {
  const failing = () => Promise.reject(new Error('The database is away.'));

  it('is missing, and counted as missing', async () => {
    const metrics = new PrometheusMetrics([]);
    metrics.gauge('osce_spend_today_usd', failing);
    const text = await metrics.scrape();
    expect(text).not.toMatch(/^osce_spend_today_usd /m);
    expect(text).toMatch(/^osce_metrics_failures_total 1$/m);
  });

  it('says what no answer means, where that is known, and is then not counted', async () => {
    const metrics = new PrometheusMetrics([]);
    metrics.gauge('osce_ready', failing, [{ labels: {}, value: 0 }]);
    const text = await metrics.scrape();
    expect(text).toMatch(/^osce_ready 0$/m);
    expect(text).toMatch(/^osce_metrics_failures_total 0$/m);
  });
});
