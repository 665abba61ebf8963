// Uses the types that openapi-typescript makes of the API description; the test compiles both with the strictest types.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema';

async function main([baseUrl = '']: readonly string[]): Promise<void> {
  const osce = createClient<paths>({ baseUrl });
  const { data: list } = await osce.GET('/api/v1/tests', { params: { query: { limit: 1 } } });
  const [run]: readonly components['schemas']['TestRunListItem'][] = list?.runs ?? [];
  const { error } = await osce.GET('/api/v1/agents/{id}', { params: { path: { id: 'nobody' } } });
  console.log(JSON.stringify({ status: run?.status, error }));
}

void main(process.argv.slice(2));
