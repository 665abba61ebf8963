import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { databaseUrl } from './test-server';

export interface TestDatabase {
  /** As the service connects: of a role that owns it, and may do nothing beyond. */
  readonly url: string;
  /** The same for a superuser. */
  readonly adminUrl: string;
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>;
}

/** A migrated, empty database of one's own: a copy of the template, in some tens of milliseconds. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyDatabase(environment('OSCE_TEST_TEMPLATE'));
}

/** A database without any table. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return copyDatabase('template0');
}

/** Removes all scenarios and suites, their runs, and the answers kept for repeated requests: each test of a file finds its service empty. */
export function removeScenarios({ url }: TestDatabase): Promise<void> {
  return run(url, 'TRUNCATE scenarios, scenario_revisions, test_suites, test_runs, idempotency_keys CASCADE');
}

async function copyDatabase(template: string): Promise<TestDatabase> {
  const adminUrl = environment('OSCE_TEST_ADMIN_URL');
  const name = `osce_test_${randomBytes(8).toString('hex')}`;
  const ownerUrl = environment('OSCE_TEST_OWNER_URL');
  const owner = new URL(ownerUrl).username;
  await run(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template} OWNER "${owner}" ${environment('OSCE_TEST_COPY')}`);
  return {
    url: databaseUrl(ownerUrl, name),
    adminUrl: databaseUrl(adminUrl, name),
    drop: () => run(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run tests with "npx jest".`);
  return value;
}
