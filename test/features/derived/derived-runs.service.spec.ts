import { randomUUID } from 'node:crypto';
import { BadRequestException } from '@nestjs/common';
import type { ForkRequest, RegradeRequest } from '../../../contract/derived-runs';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { ProviderRegistry } from '../../../src/agents/registry';
import { SpokenConversations } from '../../../src/engine/actors/spoken-conversations';
import type { OtherRubric } from '../../../src/engine/ledger/derived-run';
import { RecordingPieces } from '../../../src/engine/ledger/recordings.store';
import { USUAL_PATIENT, type PatientProfile } from '../../../src/domain/patient';
import { OfflineTester } from '../../../src/examiners/tester/offline.tester';
import { AgentsStore } from '../../../src/features/agents/agents.store';
import { DerivationSourcesStore, type SourceRow } from '../../../src/features/derived/derivation-sources.store';
import { DerivedRunsService, RunSources } from '../../../src/features/derived/derived-runs.service';
import { ContinuingAgent, SameAgent } from '../../../src/features/derived/same-agent';
import { examined, ExaminedAgents } from '../../../src/features/runs/examined-agents';
import { ModelChoice } from '../../../src/features/runs/model-choice';
import { RunBeginnings } from '../../../src/features/runs/run-beginnings';
import { SpokenPlans, type Engines } from '../../../src/features/runs/spoken-plans';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { storeGradedRun, storeScenarios, type GradedRunOptions } from '../../setup/graded-run';
import { conversationsOf } from '../../setup/reviewed-runs';
import { spokenRun } from '../../setup/spoken-run';
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
  readonly found?: ExaminedAgents;
  readonly spoken?: SpokenPlans;
}

const spokenPlans = () =>
  new SpokenPlans(settings, new SpokenConversations(settings, new RecordingPieces(runs.database), silentLog));

function service({
  rows = new DerivationSourcesStore(runs.database),
  models = new ModelChoice(settings),
  found = new ExaminedAgents(agents, registry, settings),
  spoken = spokenPlans(),
}: Parts = {}): DerivedRunsService {
  return new DerivedRunsService(
    new RunSources(runs.reads),
    rows,
    new SameAgent(found),
    new ContinuingAgent(found, registry),
    new OfflineTester(threads),
    models,
    spoken,
    runs.testRuns,
    new RunBeginnings(supervisors.actors),
    supervisors.processId,
  );
}

const CONFIG = { base_url: 'http://127.0.0.1:9/v1', model: 'triage-1' };
const CONTENT = { script: 'You take aspirin.', demographics: {}, chief_complaint: 'My chest hurts.' };
const ANXIOUS: PatientProfile = { style: 'anxious', language: 'en' };
const AS_RUN: RegradeRequest = { rubric: 'as_run', judge_model: undefined };
const FORK: ForkRequest = { at_turn: 1, patient_message: undefined, agent_id: undefined, trials: undefined };
const remember = () => Promise.resolve();

/** A run of an agent that is stored, with one conversation an outcome. */
async function examinedRun(
  outcomes: readonly string[],
  options: GradedRunOptions = {},
): Promise<{ id: string; agentId: string }> {
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
    names.map((name, at) => ({ id: ids[at] ?? '', name, outcomes: [outcomes[at] ?? ''], content: CONTENT })),
    { agentId, ...options },
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

describe('a retry is refused', () => {
  test('where every scenario run has a verdict', async () => {
    const { id } = await examinedRun(['passed', 'failed']);
    await expect(service().retry(id, remember)).rejects.toMatchObject({
      status: 409,
      message: `Every scenario run of run_${id} has a verdict, so there is nothing to run again.`,
    });
  });

  test('where the tester cannot play a patient that has no verdict yet', async () => {
    const { id } = await examinedRun(['passed', 'connect_failed'], { patients: [ANXIOUS] });
    const refused = service().retry(id, remember);
    await expect(refused).rejects.toMatchObject({ status: 409 });
    await expect(refused).rejects.toThrow(/the offline tester recites its script, so it cannot play/);
    await runs.database.query("UPDATE scenario_runs SET patient = $2 WHERE test_run_id = $1 AND status = 'error'", [
      id,
      USUAL_PATIENT,
    ]);
    expect(await service().retry(id, remember)).toMatchObject({ scenarios_launched: 1 });
  });

  test.each(['tester_model', 'judge_model'] as const)('where its %s is not to be had any more', async (model) => {
    const { id } = await examinedRun(['connect_failed']);
    await runs.database.query(`UPDATE test_runs SET ${model} = 'openai/gone' WHERE id = $1`, [id]);
    const refused = service().retry(id, remember);
    await expect(refused).rejects.toMatchObject({ status: 409 });
    await expect(refused).rejects.toThrow(
      `This run had its own models, and they cannot examine again: ${model}: this service has no language model`,
    );
  });
});

describe('a retry of a spoken run', () => {
  /** Agents that speak, of whatever kind they are. */
  class SpeakingAgents extends ExaminedAgents {
    override find(id: string) {
      return super.find(id);
    }
  }

  const EAR = { engine: '127.0.0.1:9', model: 'ear-1' };
  const SPOKEN = spokenRun({ rate: 0.9 });

  /** Voices and ears that are to be had now, or the reason why there are none. */
  class Plans extends SpokenPlans {
    readonly asked: unknown[] = [];
    private readonly now: Engines | Error;

    constructor(now: Engines | Error) {
      super(settings, new SpokenConversations(settings, new RecordingPieces(runs.database), silentLog));
      this.now = now;
    }

    override engines(...asked: Parameters<SpokenPlans['engines']>): Promise<Engines> {
      this.asked.push(asked);
      return this.now instanceof Error ? Promise.reject(this.now) : Promise.resolve(this.now);
    }
  }

  async function spoken(outcomes: readonly string[], options: GradedRunOptions = {}): Promise<string> {
    const { id } = await examinedRun(outcomes, options);
    await runs.database.query(`UPDATE test_runs SET modality = 'spoken', spoken = $2 WHERE id = $1`, [
      id,
      JSON.stringify(SPOKEN),
    ]);
    return id;
  }

  const retry = (id: string, plans: SpokenPlans) =>
    service({ found: new SpeakingAgents(agents, registry, settings), spoken: plans }).retry(id, remember);

  test('is spoken as it was, with the same voice and ear', async () => {
    const { voice_engine, ear } = SPOKEN;
    const plans = new Plans({ voice_engine, ear });
    const { id } = await retry(await spoken(['passed', 'connect_failed']), plans);
    expect(plans.asked).toEqual([[{ voice: 'en-us', rate: 0.9 }, [USUAL_PATIENT, USUAL_PATIENT]]]);
    expect(await runs.reads.find(id)).toMatchObject({ modality: 'spoken', spoken: { rate: 0.9, line: 'wideband' } });
  });

  test.each<[string, Partial<Engines>, string]>([
    ['voice', { voice_engine: { ...SPOKEN.voice_engine, voice: 'de' } }, 'espeak-ng 1.51 (de) and no transcriber'],
    ['version', { voice_engine: { ...SPOKEN.voice_engine, version: '1.52' } }, 'espeak-ng 1.52 (en-us) and no tr'],
    ['ear', { ear: EAR }, 'espeak-ng 1.51 (en-us) and 127.0.0.1:9 ear-1'],
  ])('is refused where it would have another %s', async (_what, changes, now) => {
    const { voice_engine, ear } = SPOKEN;
    const refused = retry(await spoken(['connect_failed']), new Plans({ voice_engine, ear, ...changes }));
    await expect(refused).rejects.toMatchObject({ status: 409 });
    await expect(refused).rejects.toThrow(
      `This run was spoken and heard by espeak-ng 1.51 (en-us) and no transcriber, and now by ${now}`,
    );
  });

  test('is refused where there is no voice any more, and fails where that could not be found out', async () => {
    const id = await spoken(['connect_failed']);
    const refused = retry(id, new Plans(new BadRequestException('modality: espeak-ng is not installed')));
    await expect(refused).rejects.toMatchObject({
      status: 409,
      message: 'This run was spoken, and it cannot be spoken again: modality: espeak-ng is not installed.',
    });
    await expect(retry(id, new Plans(new Error('The disk is full.')))).rejects.toThrow(/^The disk is full\.$/);
  });

  test('asks for no voice where conversations are only to be marked', async () => {
    const id = await spoken(['passed', 'judge_failed']);
    await runs.database.query(
      `UPDATE scenario_runs SET played_by = metadata->'tester' WHERE test_run_id = $1 AND status = 'error'`,
      [id],
    );
    const plans = new Plans(new Error('Nobody is to speak.'));
    expect(await retry(id, plans)).toMatchObject({ scenarios_launched: 1 });
    expect(plans.asked).toEqual([]);
  });
});

describe('a regrade', () => {
  test('marks what was held to its end, and carries the rest', async () => {
    const { id } = await examinedRun(['passed', 'tester_failed', 'judge_failed']);
    const answer = await service().regrade(id, AS_RUN, remember);
    expect(answer).toMatchObject({
      total_scenarios: 3,
      scenarios_launched: 2,
      scenarios_carried: 1,
      derived_from: id,
      derivation: 'regrade',
    });
  });

  test('marks with the rubrics of today where that is asked for, and keeps what else the run was held with', async () => {
    class Changed extends DerivationSourcesStore {
      override otherRubricsOf(): Promise<OtherRubric[]> {
        return Promise.reject(new Error('The rubrics of today were asked for.'));
      }
    }
    const { id } = await examinedRun(['passed'], { region: 'UK' });
    const rows = new Changed(runs.database);
    await expect(service({ rows }).regrade(id, { ...AS_RUN, rubric: 'current' }, remember)).rejects.toThrow(
      'The rubrics of today were asked for.',
    );
    const answer = await service({ rows }).regrade(id, AS_RUN, remember);
    const source = await runs.reads.find(id);
    if (source === null) throw new Error('The source is gone.');
    const { trials, max_turns, concurrency_limit, pass_threshold, name, modality } = source;
    expect(await runs.reads.find(answer.id)).toMatchObject({
      ...{ trials, max_turns, concurrency_limit, pass_threshold, name, modality },
      region: 'UK',
      derivation: 'regrade',
      derived_from: id,
    });
  });

  test('is refused where nothing was held to its end', async () => {
    const { id } = await examinedRun(['tester_failed', 'tester_failed']);
    await expect(service().regrade(id, AS_RUN, remember)).rejects.toMatchObject({
      status: 409,
      message: `No conversation of run_${id} was held to its end, so there is nothing to mark.`,
    });
  });

  test('is marked by another judge where one is asked for, and else by that of the run; its patient stays', async () => {
    class Any extends ModelChoice {
      override of({ tester_model, judge_model }: Parameters<ModelChoice['of']>[0]) {
        return { tester_model: tester_model ?? null, judge_model: judge_model ?? null };
      }
    }
    const { id } = await examinedRun(['passed']);
    await runs.database.query(
      `UPDATE test_runs SET tester_model = 'openai/patient', judge_model = 'openai/judge' WHERE id = $1`,
      [id],
    );
    const models = new Any(settings);
    const examinersOf = async (request: RegradeRequest) => {
      const answer = await service({ models }).regrade(id, request, remember);
      const run = await runs.reads.find(answer.id);
      return [run?.tester_model, run?.judge_model];
    };
    expect(await examinersOf(AS_RUN)).toEqual(['openai/patient', 'openai/judge']);
    expect(await examinersOf({ ...AS_RUN, judge_model: 'openai/other' })).toEqual(['openai/patient', 'openai/other']);
  });

  test('is a wrong request where another judge is asked for that there is not', async () => {
    const { id } = await examinedRun(['passed']);
    const refused = service().regrade(id, { ...AS_RUN, judge_model: 'openai/gone' }, remember);
    await expect(refused).rejects.toMatchObject({ status: 400 });
  });
});

describe('a fork', () => {
  async function conversation(options: GradedRunOptions = {}): Promise<string> {
    const [id = ''] = await conversationsOf(runs.database, (await examinedRun(['passed'], options)).id);
    return id;
  }

  test('is a run of one scenario, in as many trials as were asked for, with the turns before', async () => {
    const answer = await service().fork(
      await conversation(),
      { ...FORK, at_turn: 3, patient_message: 'And now?', trials: 2 },
      remember,
    );
    expect(answer).toMatchObject({
      total_scenarios: 2,
      scenarios_launched: 2,
      scenarios_carried: 0,
      derivation: 'fork',
    });
    const rows = await runs.database.query(
      'SELECT trial, kept_turns, given_message FROM scenario_runs WHERE test_run_id = $1 ORDER BY position',
      [answer.id],
    );
    expect(rows).toEqual([
      { trial: 1, kept_turns: 2, given_message: 'And now?' },
      { trial: 2, kept_turns: 2, given_message: 'And now?' },
    ]);
    expect(await runs.reads.find(answer.id)).toMatchObject({ trials: 2, max_turns: 6, test_suite_id: null });
  });

  test('has one trial and a patient who speaks for himself, unless it was asked otherwise', async () => {
    const { id } = await service().fork(await conversation(), FORK, remember);
    const rows = await runs.database.query('SELECT trial, given_message FROM scenario_runs WHERE test_run_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ trial: 1, given_message: null }]);
  });

  test('is of the agent that held the conversation, or of another that was named', async () => {
    const { id: source, agentId } = await examinedRun(['passed']);
    const [held = ''] = await conversationsOf(runs.database, source);
    const { agentId: other } = await examinedRun(['passed']);
    const agentOf = async (agent_id?: string) => {
      const { id } = await service().fork(held, { ...FORK, agent_id }, remember);
      return (await runs.reads.find(id))?.agent_id;
    };
    expect(await agentOf()).toBe(agentId);
    expect(await agentOf(other)).toBe(other);
  });

  test('is refused beyond the last turn that a conversation can go on from', async () => {
    const id = await conversation();
    await expect(service().fork(id, { ...FORK, at_turn: 7 }, remember)).rejects.toMatchObject({
      status: 400,
      message: 'at_turn: must be 6 at most: the conversation has 6 turns of 6',
    });
    expect(await service().fork(id, { ...FORK, at_turn: 6 }, remember)).toMatchObject({ total_scenarios: 1 });
  });

  test('has room for its turn where the source held more than its run allows', async () => {
    const answer = await service().fork(await conversation({ maxTurns: 4 }), { ...FORK, at_turn: 6 }, remember);
    expect(await runs.reads.find(answer.id)).toMatchObject({ max_turns: 6 });
  });

  test('is refused where there is nothing to play, nobody to play it, or a call that the agent alone remembers', async () => {
    const fork = (id: string) => service().fork(id, FORK, remember);
    const [mute, anxious, spoken] = [
      await conversation(),
      await conversation({ patients: [ANXIOUS] }),
      await conversation(),
    ];
    await runs.database.query(
      `UPDATE scenario_runs SET scenario = '{"name":"","content":{"script":" "}}' WHERE id = $1`,
      [mute],
    );
    await runs.database.query(
      `UPDATE test_runs SET modality = 'spoken', spoken = $2 WHERE id = (SELECT test_run_id FROM scenario_runs WHERE id = $1)`,
      [spoken, spokenRun()],
    );
    await expect(fork(mute)).rejects.toMatchObject({ status: 409, message: expect.stringMatching(/has no script/) });
    await expect(fork(anxious)).rejects.toMatchObject({ status: 409, message: expect.stringMatching(/^patients: /) });
    await expect(fork(spoken)).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/^This conversation was spoken/),
    });
  });

  test.each([randomUUID(), 'not-an-id'])('of nothing is refused (%s)', async (id) => {
    await expect(service().fork(id, FORK, remember)).rejects.toMatchObject({
      status: 404,
      message: 'Scenario run not found',
    });
  });
});

describe('a source', () => {
  test('that does not exist is not there', async () => {
    await expect(service().retry(randomUUID(), remember)).rejects.toMatchObject({
      status: 404,
      message: 'Test run not found',
    });
  });

  test('that is under way is waited for: its rows still change', async () => {
    const { testRunId } = await runs.createRun();
    await expect(service().retry(testRunId, remember)).rejects.toMatchObject({
      status: 409,
      message: `Test run run_${testRunId} is running: wait until it has ended, or cancel it, and ask again.`,
    });
  });

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
