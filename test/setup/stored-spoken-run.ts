import { randomUUID } from 'node:crypto';
import { piecesOf } from '../../src/engine/audio';
import type { KeptSpokenTurn } from '../../contract/spoken-turns';
import type { Database } from '../../src/platform/database/database';
import { OFFLINE } from './graded-run';
import { spokenRun } from './spoken-run';

export const RATE = 16_000;

/** What is kept of the call beside its turns. */
const CALL = {
  metrics_version: 1,
  minutes: 1,
  start_ms: 0,
  control_clip: { duration_ms: 1_500, voiced_ms: 1_200, level_dbfs: -20, word_error_rate: null },
  recording: { complete: true, pieces: 2, lost_ms: 0 },
};

/** A turn of a spoken conversation, as the engine keeps it. */
export interface SpokenTurnGiven {
  readonly said: string;
  readonly replied: string;
  /** What of `metadata.spoken` is not as `spokenTurn` makes it. */
  readonly spoken: Partial<KeptSpokenTurn> & Pick<KeptSpokenTurn, 'from_ms' | 'to_ms'>;
}

export interface SpokenConversationGiven {
  readonly turns: readonly SpokenTurnGiven[];
  readonly status?: string;
  readonly scenarioId?: string;
  readonly trial?: number;
  readonly content?: object;
  readonly criteria?: readonly object[];
  readonly language?: string;
  readonly source?: string;
  /** With its source: the verdict was given there. */
  readonly carried?: boolean;
  /** Without it nothing is recorded. */
  readonly recording?: { readonly patient: Int16Array; readonly agent: Int16Array };
}

/** `metadata.spoken` of a turn in which all went well. */
export function keptTurn({ from_ms, to_ms, ...given }: SpokenTurnGiven['spoken']): KeptSpokenTurn {
  return {
    from_ms,
    to_ms,
    keys: null,
    sentences: [{ id: 'p1', from_ms, to_ms, words: 'some words' }],
    pauses: [],
    disturbances: [],
    interjection: null,
    agent: [],
    agent_sentences: [],
    own: null,
    heard: null,
    heard_doubtful: null,
    heard_by_agent: null,
    inaudible: false,
    latency_ms: null,
    timing_reliable: true,
    ...given,
  };
}

/** Stores a spoken run that has ended, as the service would have; answers its id and those of its scenario runs. */
export async function storeSpokenRun(
  database: Database,
  conversations: readonly SpokenConversationGiven[],
  {
    status = 'completed',
    timingErrorMs = 20,
  }: { readonly status?: string; readonly timingErrorMs?: number | null } = {},
): Promise<{ readonly id: string; readonly scenarioRunIds: readonly string[] }> {
  const id = randomUUID();
  const spoken = spokenRun({ line: 'phone', timing_error_ms: timingErrorMs });
  await database.query(
    `INSERT INTO test_runs (id, label, status, agent_id, agent_name, agent_provider, total_scenarios, trials, max_turns,
       concurrency_limit, pass_threshold, started_at, completed_at, modality, spoken)
     VALUES ($1, $2, $3, $4, 'Spoken agent', 'livekit', $5, 1, 6, 4, 50, now(), CASE WHEN $3 = 'running' THEN NULL ELSE now() END, 'spoken', $6)`,
    [id, `run_${id}`, status, randomUUID(), conversations.length, spoken],
  );
  const scenarioRunIds: string[] = [];
  for (const [place, conversation] of conversations.entries()) {
    scenarioRunIds.push(await storeConversation(database, id, place, conversation));
  }
  return { id, scenarioRunIds };
}

async function storeConversation(
  database: Database,
  testRunId: string,
  place: number,
  {
    turns,
    status = 'passed',
    criteria = [],
    content = {},
    language = 'en',
    recording,
    ...given
  }: SpokenConversationGiven,
): Promise<string> {
  const id = randomUUID();
  const isGraded = status === 'passed' || status === 'failed';
  await database.query(
    `INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, trial, patient, scenario_name, scenario, status, attempt, turns, passed,
       score_percent, criteria_results, metadata, source_scenario_run_id, carried, started_at, completed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, $10, $11, $12, $13, $14, $15, $16, now(), CASE WHEN $9 = ANY('{pending,running,grading}') THEN NULL ELSE now() END)`,
    [
      id,
      testRunId,
      given.scenarioId ?? randomUUID(),
      place + 1,
      given.trial ?? 1,
      JSON.stringify({ style: 'cooperative', language }),
      `Scenario ${place + 1}`,
      JSON.stringify({ name: `Scenario ${place + 1}`, content, rubric_criteria: [] }),
      status,
      turns.length,
      isGraded ? status === 'passed' : null,
      isGraded ? 100 : null,
      isGraded ? JSON.stringify(criteria) : null,
      JSON.stringify({ ...OFFLINE, spoken: CALL }),
      given.source ?? null,
      given.carried ?? false,
    ],
  );
  for (const [at, { said, replied, spoken }] of turns.entries()) {
    await database.query(
      `INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at, latency_ms, metadata)
       VALUES ($1, 1, $2, $3, now(), $4, now(), $6, $5)`,
      [
        ...[id, at + 1, said, replied, JSON.stringify({ tester_ms: 5, spoken: keptTurn(spoken) })],
        keptTurn(spoken).latency_ms,
      ],
    );
  }
  if (recording !== undefined) {
    for (const track of ['patient', 'agent'] as const) await storeTrack(database, id, track, recording[track]);
  }
  return id;
}

/** In pieces of 10 s, as rooms keep them. */
async function storeTrack(
  database: Database,
  scenarioRunId: string,
  track: 'patient' | 'agent',
  samples: Int16Array,
): Promise<void> {
  for (const piece of piecesOf({ samples, rate: RATE })) {
    await database.query(
      `INSERT INTO recording_pieces (scenario_run_id, attempt, track, first_sample, samples, sha256, bytes) VALUES ($1, 1, $2, $3, $4, $5, $6)`,
      [
        scenarioRunId,
        track,
        piece.firstSample,
        Math.min(samples.length - piece.firstSample, 10 * RATE),
        piece.hash,
        Buffer.from(piece.bytes),
      ],
    );
  }
}

/** A voice of noise that is the same each time, for so long. */
export function constructedVoice(ms: number, seed: number): Int16Array {
  const samples = new Int16Array((ms * RATE) / 1_000);
  let state = seed;
  for (let at = 0; at < samples.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    samples[at] = state >> 18;
  }
  return samples;
}
