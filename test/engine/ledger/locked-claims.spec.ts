import { randomBytes, randomUUID } from 'node:crypto';
import { exchange, openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { UnknownKey, Vault } from '../../../src/platform/database/encryption/vault';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

/** A scenario run whose agent's config this process cannot decrypt: it is sealed with another key. */
async function lockedRun() {
  const run = await runs.newRun();
  const claim = await runs.testRuns.create(run);
  const [scenarioRunId = ''] = claim.unsettled;
  const { id: testRunId, agent_id: agentId } = run;
  const sealed = (place: string) =>
    Vault.of([randomBytes(32).toString('base64')]).sealDocument({ base_url: 'x' }, place);
  const setConfig = (document: object) =>
    runs.database.query('UPDATE agents SET config = $2 WHERE id = $1', [agentId, JSON.stringify(document)]);
  const locked = sealed(`agents.config of ${agentId}`);
  /** By a process that has just started. */
  const claimAgain = async () => {
    await runs.ownership.releaseAll();
    return runs.claim(scenarioRunId, testRunId, randomUUID());
  };
  const attempt = async () => {
    const [row] = await runs.database.query('SELECT attempt FROM scenario_runs WHERE id = $1', [scenarioRunId]);
    return row;
  };
  return { testRunId, scenarioRunId, agentId, locked, setConfig, claimAgain, attempt };
}

describe('a scenario run whose agent’s config this process cannot decrypt', () => {
  test('is taken once, to be given back, and from then on is not even taken', async () => {
    const { locked, setConfig, claimAgain, attempt } = await lockedRun();
    await setConfig(locked);
    expect(await claimAgain()).toMatchObject({ kind: 'locked', taken: { attempt: 1, sentTurns: 0 } });
    for (let time = 0; time < 2; time += 1) {
      expect(await claimAgain()).toMatchObject({ kind: 'locked', taken: null, error: expect.any(UnknownKey) });
    }
    expect(await attempt()).toEqual({ attempt: 1 });
  });

  test('is taken as soon as the config can be read again', async () => {
    const { locked, setConfig, claimAgain } = await lockedRun();
    await setConfig(locked);
    await claimAgain();
    await setConfig({ base_url: 'http://127.0.0.1:1' });
    expect(await claimAgain()).toMatchObject({
      kind: 'claimed',
      attempt: 2,
      record: { agentConfig: { base_url: 'http://127.0.0.1:1' } },
    });
    // It is looked at no more, and its next lock is found by a claim.
    await setConfig(locked);
    expect(await claimAgain()).toMatchObject({ kind: 'locked', taken: { attempt: 3 } });
  });

  test('is given back with the turns that may have been sent, the one in doubt among them', async () => {
    const { testRunId, scenarioRunId, locked, setConfig, attempt } = await lockedRun();
    const owner = randomUUID();
    const ref = { scenarioRunId, testRunId, owner, attempt: 1 };
    await runs.claim(scenarioRunId, testRunId, owner);
    for (const turn of [1, 2]) {
      const recorded = { kind: 'turn', exchange: exchange(turn), continuation: null, metadata: {} } as const;
      await runs.scenarioRuns.record({ ...ref, ...recorded });
    }
    await runs.scenarioRuns.record({ ...ref, kind: 'release', sentTurns: 2 });
    await setConfig(locked);
    const calm = await runs.claim(scenarioRunId, testRunId, randomUUID());
    expect(calm).toMatchObject({ kind: 'locked', taken: { attempt: 2, sentTurns: 2 } });
    await setConfig({});
    await runs.ownership.releaseAll();
    await runs.claim(scenarioRunId, testRunId, owner);
    await runs.scenarioRuns.record({ ...ref, attempt: 3, kind: 'release', sentTurns: 3 });
    await setConfig(locked);
    const doubtful = await runs.claim(scenarioRunId, testRunId, randomUUID());
    expect(doubtful).toMatchObject({ kind: 'locked', taken: { attempt: 4, sentTurns: 3 } });
    expect(await attempt()).toEqual({ attempt: 4 });
  });

  test('is taken without a config once its agent was erased', async () => {
    const { agentId, locked, setConfig, claimAgain } = await lockedRun();
    await setConfig(locked);
    await claimAgain();
    await runs.database.query('DELETE FROM agents WHERE id = $1', [agentId]);
    expect(await claimAgain()).toMatchObject({ kind: 'claimed', attempt: 2, record: { agentConfig: null } });
  });
});
