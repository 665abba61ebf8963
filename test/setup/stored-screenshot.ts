import { Client } from 'pg';
import type { TestDatabase } from './database';

/** Gives a scenario run that ended in error a screenshot, as a browser agent's failure would: no browser is needed. */
export async function storeScreenshot(database: TestDatabase, scenarioRunId: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `INSERT INTO screenshots (scenario_run_id, attempt, jpeg)
       SELECT id, attempt, '\\xffd8ffd9' FROM scenario_runs WHERE id = $1 AND status = 'error'`,
      [scenarioRunId],
    );
    if (rowCount !== 1) throw new Error(`The scenario run ${scenarioRunId} did not end in error.`);
  } finally {
    await client.end();
  }
}
