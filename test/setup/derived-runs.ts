import { createHash } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import type { TestService } from './service';

const STORED = [
  'SELECT to_jsonb(t) AS row FROM test_runs t WHERE id = $1',
  'SELECT to_jsonb(s) AS row FROM scenario_runs s WHERE test_run_id = $1 ORDER BY position',
  `SELECT to_jsonb(u) AS row FROM turns u JOIN scenario_runs s ON s.id = u.scenario_run_id WHERE s.test_run_id = $1
   ORDER BY s.position, u.conversation, u.turn`,
  'SELECT to_jsonb(e) AS row FROM run_log e WHERE test_run_id = $1 ORDER BY seq',
  'SELECT to_jsonb(e) AS row FROM run_examiners e WHERE test_run_id = $1 ORDER BY noted_at, judge::text',
];

/** Everything that is stored of a run that has ended, its exports and its events; each as a hash. */
export async function printsOf({ app, url }: TestService, runId: string): Promise<string[]> {
  const database = app.get(Database);
  const stored = await Promise.all(STORED.map((sql) => database.query(sql, [runId])));
  const told = await Promise.all(
    [
      ...['csv', 'json', 'junit'].map((format) => `api/v1/tests/${runId}/export?format=${format}`),
      `events?run_id=${runId}`,
    ].map(async (path) => (await fetch(`${url}/${path}`)).text()),
  );
  return [...stored.map((found) => JSON.stringify(found)), ...told].map((text) =>
    createHash('sha256').update(text).digest('hex'),
  );
}
