import { randomUUID } from 'node:crypto';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { ProviderRegistry } from '../../../src/agents/registry';
import { SpokenConversations } from '../../../src/engine/actors/spoken-conversations';
import { RecordingPieces } from '../../../src/engine/ledger/recordings.store';
import { OfflineTester } from '../../../src/examiners/tester/offline.tester';
import { AgentsStore } from '../../../src/features/agents/agents.store';
import { DerivationSourcesStore, type SourceRow } from '../../../src/features/derived/derivation-sources.store';
import { DerivedRunsService, RunSources } from '../../../src/features/derived/derived-runs.service';
import { ContinuingAgent, SameAgent } from '../../../src/features/derived/same-agent';
import { examined, ExaminedAgents } from '../../../src/features/runs/examined-agents';
import { ModelChoice } from '../../../src/features/runs/model-choice';
import { RunBeginnings } from '../../../src/features/runs/run-beginnings';
import { SpokenPlans } from '../../../src/features/runs/spoken-plans';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { storeGradedRun, storeScenarios } from '../../setup/graded-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { openSupervisors } from '../../setup/supervisors';
import { openTextThreads } from '../../setup/text-threads';

const settings = settingsFrom({});
const registry = new ProviderRegistry({ budget: new InProcessRequestBudget() });
const threads = openTextThreads();
afterAll(() => registry.onApplicationShutdown());

let runs: StoredRuns;
let agents: AgentsStore;
let supervisors: ReturnType<typeof openSupervisors>;
beforeAll(async () => {
  runs = await openStoredRuns();
  agents = new AgentsStore(runs.database);
  supervisors = openSupervisors(runs);
});
afterAll(async () => {
  await supervisors.close();
  await runs.close();
});

interface Parts {
  readonly rows?: DerivationSourcesStore;
  readonly models?: ModelChoice;
}

function service({
  rows = new DerivationSourcesStore(runs.database),
  models = new ModelChoice(settings),
}: Parts = {}): DerivedRunsService {
  const found = new ExaminedAgents(agents, registry, settings);
  return new DerivedRunsService(
    new RunSources(runs.reads),
    rows,
    new SameAgent(found),
    new ContinuingAgent(found, registry),
    new OfflineTester(threads),
    models,
    new SpokenPlans(settings, new SpokenConversations(settings, new RecordingPieces(runs.database), silentLog)),
    runs.testRuns,
    new RunBeginnings(supervisors.actors),
    supervisors.processId,
  );
}

const CONFIG = { base_url: 'http://127.0.0.1:9/v1', model: 'triage-1' };
const remember = () => Promise.resolve();

/** A run of an agent that is stored, with one conversation an outcome. */
async function examinedRun(outcomes: readonly string[]): Promise<{ id: string; agentId: string }> {
  const [row] = await runs.database.query<{ id: string }>(
    `INSERT INTO agents (provider, name, config) VALUES ('openai', 'Triage', $1) RETURNING id`,
    [CONFIG],
  );
  const agent = await agents.find(row?.id ?? '');
  if (agent === null) throw new Error('The agent was not stored.');
  const { agent_id: agentId, agent_config, agent_config_hash } = await examined(agent, null);
  const names = outcomes.map(() => `Chest pain ${randomUUID()}`);
  const ids = await storeScenarios(runs.database, names);
  const id = await storeGradedRun(
    runs.database,
    names.map((name, at) => ({ id: ids[at] ?? '', name, outcomes: [outcomes[at] ?? ''] })),
    { agentId },
  );
  await runs.database.query('UPDATE test_runs SET agent_config = $2, agent_config_hash = $3 WHERE id = $1', [
    id,
    agent_config,
    agent_config_hash,
  ]);
  return { id, agentId };
}

const change = (agentId: string) =>
  runs.database.query('UPDATE agents SET config = $2 WHERE id = $1', [agentId, { ...CONFIG, model: 'triage-2' }]);

describe('a retry', () => {
  test('launches what has no verdict, carries the rest, and names its source', async () => {
    const { id } = await examinedRun(['passed', 'connect_failed', 'failed']);
    const answer = await service().retry(id, remember);
    expect(answer).toMatchObject({
      status: 'running',
      total_scenarios: 3,
      scenarios_launched: 1,
      scenarios_carried: 2,
      derived_from: id,
      derivation: 'retry',
    });
    expect(await runs.reads.find(answer.id)).toMatchObject({ test_run_id: answer.test_run_id, agent_name: 'Triage' });
  });

  test('is refused where the agent was changed, and one verdict would stand beside those on another', async () => {
    const { id, agentId } = await examinedRun(['passed', 'connect_failed']);
    await change(agentId);
    await expect(service().retry(id, remember)).rejects.toThrow('was changed since this run');
  });

  test('examines the agent as it is now where no verdict was given', async () => {
    const { id, agentId } = await examinedRun(['connect_failed', 'canceled']);
    await change(agentId);
    const answer = await service().retry(id, remember);
    expect((await runs.reads.agentConfigsOf([answer.id])).get(answer.id)).toMatchObject({ model: 'triage-2' });
  });

  test('of conversations that are only to be marked keeps the agent as it was, be it gone', async () => {
    const { id, agentId } = await examinedRun(['passed', 'judge_failed']);
    await runs.database.query(
      `UPDATE scenario_runs SET played_by = metadata->'tester' WHERE test_run_id = $1 AND status = 'error'`,
      [id],
    );
    await runs.database.query('DELETE FROM agents WHERE id = $1', [agentId]);
    const answer = await service().retry(id, remember);
    expect(await runs.reads.find(answer.id)).toMatchObject({ agent_id: agentId });
    expect((await runs.reads.agentConfigsOf([answer.id])).get(answer.id)).toMatchObject({ model: 'triage-1' });
  });
});

describe('a source', () => {
  test('that is deleted while it is read is not there', async () => {
    class Deleting extends DerivationSourcesStore {
      override async rowsOf(testRunId: string): Promise<SourceRow[]> {
        const rows = await super.rowsOf(testRunId);
        await runs.database.query('DELETE FROM test_runs WHERE id = $1', [testRunId]);
        return rows;
      }
    }
    const { id } = await examinedRun(['passed', 'connect_failed']);
    const gone = service({ rows: new Deleting(runs.database) }).retry(id, remember);
    await expect(gone).rejects.toMatchObject({ status: 404, message: 'Test run not found' });
  });

  test('is still there where the new run could not be stored for another reason', async () => {
    const { id } = await examinedRun(['connect_failed']);
    const failed = service().retry(id, () => Promise.reject(new Error('No key was left.')));
    await expect(failed).rejects.toThrow(/^No key was left\.$/);
    const [derived] = await runs.database.query('SELECT FROM test_runs WHERE derived_from = $1', [id]);
    expect(derived).toBeUndefined();
  });
});

test('a list of models that cannot be read is no conflict of the run', async () => {
  class Unreadable extends ModelChoice {
    override of(): never {
      throw new Error('The list cannot be read.');
    }
  }
  const { id } = await examinedRun(['connect_failed']);
  await expect(service({ models: new Unreadable(settings) }).retry(id, remember)).rejects.toThrow(
    /^The list cannot be read\.$/,
  );
});
