import { startClinicAgent } from '../../src/demo/clinic-agent';
import { seedStarterLibrary } from '../../src/features/scenarios/starter-library';
import { ScenariosStore } from '../../src/features/scenarios/scenarios.store';
import { ApiClient } from '../setup/api-client';
import type { TestDatabase } from '../setup/database';
import { createAgent, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService } from '../setup/service';
import { builtPage } from './built-page';

/** A service with the starter library, the demo agent behind it, two finished runs, and a webhook; ids of one of everything. */
export interface SeededService {
  readonly url: string;
  readonly api: ApiClient;
  readonly database: TestDatabase;
  readonly ids: {
    readonly agent: string;
    readonly scenario: string;
    readonly suite: string;
    readonly run: string;
    readonly otherRun: string;
    readonly failedScenarioRun: string;
    readonly erroredScenarioRun: string;
    readonly webhook: string;
    readonly schedule: string;
  };
  close(): Promise<void>;
}

export async function startSeededService(): Promise<SeededService> {
  const clinic = await startClinicAgent();
  const service = await startTestService({}, { pageFolder: await builtPage() });
  const api = new ApiClient(service.url);
  await seedStarterLibrary(service.app.get(ScenariosStore));
  const agent = await createAgent(api, clinic.baseUrl, { headers: { 'X-Clinic': 'demo' } });
  const unreachable = await createAgent(api, 'http://127.0.0.1:9');
  const { body: list } = await api.get('/api/v1/scenarios');
  const scenarioIds: string[] = list.scenarios.map((scenario: { scenario_id: string }) => scenario.scenario_id);
  const { body: suite } = await api.post('/api/v1/test-suites', {
    name: 'Release gate',
    description: 'What every release has to pass.',
    scenario_ids: scenarioIds.slice(0, 5),
  });
  const webhook = await addWebhook(api);
  const run = await finished(api, { agent_id: agent, name: 'Before', scenario_ids: scenarioIds.slice(0, 12) });
  const otherRun = await finished(api, { agent_id: agent, name: 'After', test_suite_id: suite.id, max_turns: 5 });
  const broken = await finished(api, { agent_id: unreachable, scenario_ids: scenarioIds.slice(0, 1) });
  await api.post('/start-run', { agent_id: agent, name: 'Tonight', scheduled_at: '2099-01-01T03:00:00Z' });
  const schedule = await addSchedule(api, agent, suite.id);
  const runs: { id: string; status: string }[] = await scenarioRunsOf(api, run);
  const [errored] = await scenarioRunsOf(api, broken);
  const ids = {
    agent,
    scenario: scenarioIds[0] ?? '',
    suite: String(suite.id),
    run,
    otherRun,
    failedScenarioRun: runs.find(({ status }) => status === 'failed')?.id ?? '',
    erroredScenarioRun: String(errored.id),
    webhook,
    schedule,
  };
  const close = async () => {
    await service.close();
    await clinic.close();
  };
  return { url: service.url, api, database: service.database, ids, close };
}

/** One that has started a run by hand. */
async function addSchedule(api: ApiClient, agent_id: string, test_suite_id: string): Promise<string> {
  const run = { agent_id, test_suite_id, max_turns: 5 };
  const fields = {
    name: 'Every night',
    run,
    cron: '0 3 * * *',
    time_zone: 'America/New_York',
    gate: { fail_under: 50 },
  };
  const { body } = await api.post('/api/v1/schedules', fields);
  const { body: started } = await api.post(`/api/v1/schedules/${body.id}/run`);
  await untilFinal(api, started.id);
  return String(body.id);
}

/** Nobody listens there: what is sent to it waits. */
async function addWebhook(api: ApiClient): Promise<string> {
  const url = 'http://127.0.0.1:9/hooks/osce';
  const { body } = await api.post('/api/v1/webhooks', { url, description: 'Tells the CI server.' });
  return String(body.id);
}

async function finished(api: ApiClient, request: object): Promise<string> {
  const { status, body } = await api.post('/start-run', request);
  if (status !== 200) throw new Error(`The run was not started: ${JSON.stringify(body)}`);
  await untilFinal(api, body.id, 60_000);
  return String(body.id);
}
