import { Client } from 'pg';
import { request } from 'node:http';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { scrape, total } from '../setup/scrape';
import { startTestService } from '../setup/service';
import { startBehindProxy } from '../setup/service-behind-proxy';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = opened.pop(); close !== undefined; close = opened.pop()) await close();
});

const NAME = 'osce_http_request_duration_seconds_count';

describe('requests, as they are counted,', () => {
  it('are no probes and no scrapes: a 503 of a probe is no fault, and a fault does not drown in their 200s', async () => {
    const { service, proxy, close } = await startBehindProxy();
    opened.push(close);
    const api = new ApiClient(service.url);
    proxy.cut();
    expect((await api.get('/health')).status).toBe(503);
    await eventually(async () => expect((await api.get('/health/ready')).status).toBe(503));
    expect((await api.get('/health/live')).status).toBe(200);
    expect(total(await scrape(service.url), NAME)).toBe(0);
    expect((await api.get('/api/v1/agents')).status).toBe(503);
    expect((await api.get('/nowhere')).status).toBe(404);
    await eventually(async () => {
      const samples = await scrape(service.url);
      expect(total(samples, NAME, { method: 'GET', status: '5xx' })).toBe(1);
      expect(total(samples, NAME, { method: 'GET', status: '4xx' })).toBe(1);
      expect(total(samples, NAME)).toBe(2);
    });
  });

  it('have succeeded when they were answered: whose client left before that is gone', async () => {
    const database = await createTestDatabase();
    opened.push(() => database.drop());
    const service = await startTestService({}, { database });
    opened.push(() => service.close());
    const operator = new Client({ connectionString: database.url });
    await operator.connect();
    opened.push(() => operator.end());
    await operator.query('BEGIN; LOCK TABLE agents IN ACCESS EXCLUSIVE MODE');
    const waiting = request(`${service.url}/api/v1/agents`);
    waiting.on('error', () => undefined);
    waiting.end();
    await eventually(async () => {
      // Within a transaction it would be read once. Others than this request may wait for the table as well.
      await operator.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await operator.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE 'SELECT%FROM "agents"%'`,
      );
      expect(rows).not.toEqual([]);
    });
    waiting.destroy();
    await eventually(async () => {
      const samples = await scrape(service.url);
      expect(total(samples, NAME, { method: 'GET', status: 'gone' })).toBe(1);
      expect(total(samples, NAME)).toBe(1);
    });
    await operator.query('COMMIT');
    expect((await new ApiClient(service.url).get('/api/v1/agents')).status).toBe(200);
    await eventually(async () => expect(total(await scrape(service.url), NAME, { status: '2xx' })).toBe(1));
  });
});
