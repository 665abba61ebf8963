import { eventually } from '../setup/eventually';
import { scrape, total } from '../setup/scrape';
import type { TcpProxy } from '../setup/tcp-proxy';
import { startBehindProxy } from '../setup/service-behind-proxy';

/** Longer than readiness is. */
const REMEMBERED_MS = 1_500;

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = opened.pop(); close !== undefined; close = opened.pop()) await close();
});

describe('a scrape of a process whose PostgreSQL', () => {
  it.each<[string, (proxy: TcpProxy) => void]>([
    ['hangs, its connections open and silent', (proxy) => proxy.drop()],
    ['is gone', (proxy) => proxy.cut()],
  ])('%s says that it is not ready, and leaves out what only rows can tell', async (_, lose) => {
    const { service, proxy, close } = await startBehindProxy();
    opened.push(close);
    const samplesOf = async (name: string): Promise<number[]> =>
      (await scrape(service.url)).filter((sample) => sample.name === name).map(({ value }) => value);
    await eventually(async () => expect(await samplesOf('osce_ready')).toEqual([1]));
    lose(proxy);
    for (let scrapes = 0; scrapes < 2; scrapes += 1) {
      // As Prometheus does, once nobody remembers what was answered before: each scrape asks anew.
      await new Promise((resolve) => setTimeout(resolve, REMEMBERED_MS));
      expect(await samplesOf('osce_ready')).toEqual([0]);
    }
    // What rows say is remembered for longer.
    await eventually(async () => expect(await samplesOf('osce_test_runs')).toEqual([]), 15_000);
    expect(total(await scrape(service.url), 'osce_metrics_failures_total')).toBeGreaterThan(0);
    await proxy.restore();
    await eventually(async () => expect(await samplesOf('osce_ready')).toEqual([1]), 15_000);
  });
});
