import { randomUUID } from 'node:crypto';
import type { Answer, ApiClient } from './api-client';
import { eachAtOnce } from './at-once';
import { untilFinal } from './examination';
import { readEverything, type Seen } from './read-everything';
import { readScrape, scrapeText } from './scrape';

/** Agents of servers that answer at once, or never. */
const QUICK = { max_retries: 0, timeout_ms: 2_000 };

/** A client that creates, tries and examines agents with canaries in their configs, and keeps every answer that it gets. */
export class CanaryExaminer {
  readonly seen: Seen[] = [];
  readonly runs: string[] = [];

  constructor(private readonly api: ApiClient) {}

  /** @param configs by name, whose first word is the kind; answers the ids in the same order */
  createAgents(configs: Readonly<Record<string, object>>, limits: object = QUICK): Promise<string[]> {
    return eachAtOnce(Object.entries(configs), async ([name, config]) => {
      const [provider] = name.split(' ');
      const created = await this.api.post('/api/v1/agents', { name, provider, config: { ...limits, ...config } });
      this.see('create agent', created);
      expect([name, created.status, created.body.error]).toEqual([name, 201, undefined]);
      return String(created.body.id);
    });
  }

  async try(agentId: string): Promise<Answer['body']> {
    const tried = await this.api.post(`/api/v1/agents/${agentId}/try`);
    this.see('try', tried);
    return tried.body;
  }

  /** Answers the run once it has ended, or null when this machine cannot examine agents of the kind. */
  async examine(agent_id: string, scenario_ids: readonly string[], fields: object = {}): Promise<Answer['body']> {
    const started = await this.api.send('POST', '/start-run', {
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ agent_id, scenario_ids, max_turns: 2, ...fields }),
    });
    this.see('start', started);
    if (started.body.id === undefined) return null;
    this.runs.push(started.body.id);
    return untilFinal(this.api, started.body.id, 90_000);
  }

  see(from: string, { status, body, headers }: Answer): void {
    this.seen.push({ from: `${from} ${status}`, text: JSON.stringify([body, [...headers]]) });
  }

  /** Reads all that can be read with an admin's key, and the metrics with their token. */
  async readEverything(adminKey: string, metricsToken: string): Promise<void> {
    const scraped = await scrapeText(this.api.url, metricsToken);
    expect(readScrape(scraped).length).toBeGreaterThan(20);
    this.seen.push({ from: '/metrics with METRICS_TOKEN', text: scraped });
    this.seen.push(...(await readEverything(this.api, adminKey, this.runs)));
  }
}
