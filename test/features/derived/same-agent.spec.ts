import { ConflictException } from '@nestjs/common';
import { ProviderRegistry } from '../../../src/agents/registry';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import type { AgentEntity } from '../../../src/features/agents/agent.entity';
import { AgentsStore } from '../../../src/features/agents/agents.store';
import { ContinuingAgent, SameAgent } from '../../../src/features/derived/same-agent';
import { examined, ExaminedAgents } from '../../../src/features/runs/examined-agents';
import { settingsFrom } from '../../../src/platform/config/settings';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

const UNKNOWN = '7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34';
const OPENAI = { base_url: 'http://127.0.0.1:9/v1', model: 'triage-1' };
const registry = new ProviderRegistry({ budget: new InProcessRequestBudget() });
afterAll(() => registry.onApplicationShutdown());

let runs: StoredRuns;
let store: AgentsStore;
let agents: ExaminedAgents;
beforeAll(async () => {
  runs = await openStoredRuns();
  store = new AgentsStore(runs.database);
  agents = new ExaminedAgents(store, registry, settingsFrom({}));
});
afterAll(() => runs.close());

/** Agents of a database that is out of reach. */
class AwayAgents extends ExaminedAgents {
  override find(): Promise<AgentEntity> {
    return Promise.reject(new Error('The database is away.'));
  }
}

const away = () => new AwayAgents(store, registry, settingsFrom({}));

async function stored(config: object = OPENAI, provider = 'openai'): Promise<AgentEntity> {
  const [row] = await runs.database.query<{ id: string }>(
    `INSERT INTO agents (provider, name, config) VALUES ($1, 'Triage', $2) RETURNING id`,
    [provider, config],
  );
  const agent = await store.find(row?.id ?? '');
  if (agent === null) throw new Error('The agent was not stored.');
  return agent;
}

const setOf = (id: string, column: 'is_active' | 'config', value: unknown) =>
  runs.database.query(`UPDATE agents SET ${column} = $2 WHERE id = $1`, [id, value]);

const removed = (id: string) => runs.database.query('DELETE FROM agents WHERE id = $1', [id]);

describe('the agent of a run that ended', () => {
  const find = (...asked: Parameters<SameAgent['find']>) => new SameAgent(agents).find(...asked);

  test('is examined again under the version that the run has', async () => {
    const then = await examined(await stored(), 'v7');
    expect(await find(then, 'text', true)).toEqual(then);
  });

  test('is the same however fast and patiently it is asked', async () => {
    const then = await examined(await stored(), null);
    await setOf(then.agent_id, 'config', { ...OPENAI, max_retries: 5 });
    expect((await find(then, 'text', true)).agent_config).toMatchObject({ max_retries: 5 });
  });

  test('that was changed does not get verdicts beside those on what it was', async () => {
    const then = await examined(await stored(), null);
    await setOf(then.agent_id, 'config', { ...OPENAI, model: 'triage-2' });
    const refused = find(then, 'text', true);
    await expect(refused).rejects.toBeInstanceOf(ConflictException);
    await expect(refused).rejects.toThrow(
      /^The config of agent "Triage" was changed since this run, .*start a new run/,
    );
  });

  test('that was changed is examined as it is now, where no verdict was given', async () => {
    const then = await examined(await stored(), null);
    await setOf(then.agent_id, 'config', { ...OPENAI, model: 'triage-2' });
    const now = await find(then, 'text', false);
    expect(now.agent_config).toMatchObject({ model: 'triage-2' });
    expect(now.agent_config_hash).not.toBe(then.agent_config_hash);
  });

  test('that is gone, inactive or mute conflicts with the run, which says why', async () => {
    const then = await examined(await stored(), null);
    await expect(find(then, 'spoken', true)).rejects.toThrow(
      /^The agent of this run cannot be examined: modality: .* leave modality out\.$/,
    );
    await setOf(then.agent_id, 'is_active', false);
    const inactive = find(then, 'text', true);
    await expect(inactive).rejects.toBeInstanceOf(ConflictException);
    await expect(inactive).rejects.toThrow('The agent of this run cannot be examined: Agent "Triage" is inactive.');
    await removed(then.agent_id);
    await expect(find(then, 'text', true)).rejects.toThrow(
      'The agent of this run cannot be examined: Agent not found.',
    );
  });

  test('conflicts with nothing where it could not be looked up', async () => {
    const then = await examined(await stored(), null);
    const failed = new SameAgent(away()).find(then, 'text', true);
    await expect(failed).rejects.not.toBeInstanceOf(ConflictException);
    await expect(failed).rejects.toThrow('The database is away.');
  });
});

describe('the agent that goes on with a conversation', () => {
  const find = (...asked: Parameters<ContinuingAgent['find']>) => new ContinuingAgent(agents, registry).find(...asked);

  test('is the one that held it, under its version, or a named one, under none', async () => {
    const then = await examined(await stored(), 'v7');
    expect(await find(then, null)).toEqual(then);
    const other = await stored();
    expect(await find(then, other.id)).toEqual(await examined(other, null));
  });

  test('is asked for where the one that held it is gone', async () => {
    const then = await examined(await stored(), null);
    await removed(then.agent_id);
    const gone = find(then, null);
    await expect(gone).rejects.toMatchObject({ status: 409 });
    await expect(gone).rejects.toThrow(
      'The agent of this conversation cannot be examined (Agent not found): name another one as agent_id.',
    );
  });

  test('is a wrong field of the request where a named one does not exist', async () => {
    const unknown = find(await examined(await stored(), null), UNKNOWN);
    await expect(unknown).rejects.toMatchObject({ status: 400 });
    await expect(unknown).rejects.toThrow(/^agent_id: Agent not found$/);
  });

  test.each([null, UNKNOWN])('is at fault for nothing where it could not be looked up (%s)', async (given) => {
    const then = await examined(await stored(), null);
    const failed = new ContinuingAgent(away(), registry).find(then, given);
    await expect(failed).rejects.toThrow(/^The database is away\.$/);
  });

  test('continues its own conversations alone where its vendor keeps them', async () => {
    const vapi = { assistant_id: 'assistant-1', api_key: 'secret' };
    const then = await examined(await stored(vapi, 'vapi'), 'v7');
    expect(await find(then, null)).toEqual(then);
    const other = await stored(vapi, 'vapi');
    const refused = find(then, other.id);
    await expect(refused).rejects.toMatchObject({ status: 409 });
    await expect(refused).rejects.toThrow(
      /^Agent "Triage" \(vapi\) goes on only from conversations of its own, and this one is of agent "Triage": /,
    );
  });

  test('cannot be one that keeps its conversations to itself', async () => {
    const url = 'http://127.0.0.1:9/chat';
    const withSession = { url, body: { session: '{{session_id}}', text: '{{message}}' }, reply_path: 'reply' };
    const then = await examined(await stored(withSession, 'http'), null);
    const refused = find(then, null);
    await expect(refused).rejects.toMatchObject({ status: 409 });
    await expect(refused).rejects.toThrow(
      /^Agent "Triage" \(http\) keeps its conversations to itself and cannot go on/,
    );
  });

  test('cannot be one whose config cannot be read, and the field is named', async () => {
    const then = await examined(await stored({ url: 7 }, 'http'), null);
    const refused = find(then, null);
    await expect(refused).rejects.toMatchObject({ status: 409 });
    await expect(refused).rejects.toThrow(/^The agent cannot go on: .*url/);
  });

  test('is at fault for nothing where its kind could not be asked', async () => {
    class BrokenRegistry extends ProviderRegistry {
      override find(): never {
        throw new Error('The provider is broken.');
      }
    }
    const broken = new BrokenRegistry({ budget: new InProcessRequestBudget() });
    const failed = new ContinuingAgent(agents, broken).find(await examined(await stored(), null), null);
    await expect(failed).rejects.toThrow(/^The provider is broken\.$/);
    await broken.onApplicationShutdown();
  });

  test('cannot be of a kind that this version does not know', async () => {
    const agent = await stored({}, 'of-tomorrow');
    class NewerAgents extends ExaminedAgents {
      override find = () => Promise.resolve(agent);
    }
    const newer = new ContinuingAgent(new NewerAgents(store, registry, settingsFrom({})), registry);
    await expect(newer.find({ ...(await examined(await stored(), null)) }, null)).rejects.toThrow(
      /^Agent "Triage" \(of-tomorrow\) keeps its conversations to itself/,
    );
  });
});
