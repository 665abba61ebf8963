import type { Notes, TurnRecord } from '../../../src/domain/conversation';
import {
  agentNotes,
  examinerMetadata,
  outcomeMetadata,
  testerNotes,
  type NamedExaminers,
} from '../../../src/engine/actors/outcome-metadata';
import { PatientRecord } from '../../../src/engine/actors/patient-record';
import { continuationOf, scenarioOf } from '../../../src/engine/actors/scenario-conversation';
import { ExaminationNotes } from '../../../src/examiners/judge/examination-record';
import { NO_USAGE } from '../../../src/examiners/model/model-usage';
import { exchange } from '../../setup/stored-run';
import { callFacts } from '../../setup/spoken-run';

const examiners: NamedExaminers = {
  tester: { name: 'anthropic', model: 'patient-1', promptVersion: 'p1' },
  judge: { name: 'anthropic', model: 'examiner-1', promptVersion: 'v1' },
};

const turn = (number: number, metadata: Notes, latencyMs = 12.34): TurnRecord => ({
  ...exchange(number),
  latencyMs,
  continuation: null,
  metadata,
});

const outcome = (turns: readonly TurnRecord[]) => ({
  provider: 'openai',
  examiners,
  attempt: 1,
  isRestarted: false,
  turns,
  connectMs: null,
  session: {},
  patient: new PatientRecord().facts,
  grading: null,
  hasScreenshot: false,
  spoken: null,
});

describe('the metadata of a scenario run', () => {
  it('says who took part, and nothing of what did not happen', () => {
    expect(outcomeMetadata(outcome([]))).toEqual({
      provider: 'openai',
      tester: { name: 'anthropic', model: 'patient-1', prompt_version: 'p1' },
      judge: { name: 'anthropic', model: 'examiner-1', prompt_version: 'v1' },
      offline: false,
      attempts: 1,
      usage: {
        tester: {
          calls: 0,
          input_tokens: 0,
          cache_read_tokens: 0,
          cache_write_tokens: 0,
          output_tokens: 0,
          cost_usd: 0,
        },
        judge: null,
        agent: null,
      },
      timings: { connect_ms: null, turns: [], grading_ms: null },
    });
  });

  it('adds up what the tester and the agent used, and names the turns in doubt', () => {
    const used = (tokens: number, costUsd: number | null) =>
      testerNotes(
        1.26,
        {
          calls: 1,
          answeredBy: ['patient-1-a'],
          inputTokens: tokens,
          cacheReadTokens: tokens / 10,
          cacheWriteTokens: 1,
          outputTokens: 2 * tokens,
          costUsd,
        },
        [],
      );
    const turns = [
      turn(1, { ...used(10, 0.5), ...agentNotes({ usage: { prompt_tokens: 3, note: 'x' } }, true) }),
      turn(2, { ...used(20, 0.25), ...agentNotes({ usage: { prompt_tokens: 4, total_tokens: 9 } }, false) }, 0.06),
      turn(3, { ...used(0, 0), ...agentNotes({ usage: 'unknown' }, true) }),
      turn(4, agentNotes({ usage: null }, false)),
    ];
    expect(outcomeMetadata({ ...outcome(turns), attempt: 2, isRestarted: true, connectMs: 3.14 })).toMatchObject({
      attempts: 2,
      tester: { name: 'anthropic', model: 'patient-1', prompt_version: 'p1', answered_by: ['patient-1-a'] },
      conversation_restarted: true,
      in_doubt_turns: [1, 3],
      usage: {
        tester: {
          calls: 3,
          input_tokens: 30,
          cache_read_tokens: 3,
          cache_write_tokens: 3,
          output_tokens: 60,
          cost_usd: 0.75,
        },
        judge: null,
        agent: { prompt_tokens: 7, total_tokens: 9 },
      },
      timings: {
        connect_ms: 3.1,
        turns: [
          { turn: 1, tester_ms: 1.3, agent_ms: 12.3 },
          { turn: 2, tester_ms: 1.3, agent_ms: 0.1 },
          { turn: 3, tester_ms: 1.3, agent_ms: 12.3 },
          { turn: 4, tester_ms: 0, agent_ms: 12.3 },
        ],
      },
    });
  });

  it('knows no price when one call has none', () => {
    const turns = [0.5, null].map((costUsd, at) =>
      turn(at + 1, testerNotes(1, { ...NO_USAGE, inputTokens: 1, outputTokens: 1, costUsd }, [])),
    );
    expect(outcomeMetadata(outcome(turns))).toMatchObject({ usage: { tester: { cost_usd: null } } });
  });

  it('says who marked, what that cost, and what the session told', () => {
    const notes = new ExaminationNotes(7);
    const usage = { ...NO_USAGE, inputTokens: 100, outputTokens: 10, costUsd: 0.25 };
    notes.noteCall({ marks: [], addressedToExaminer: [], summary: '', usage, answeredBy: 'examiner-1-0001' }, false);
    const grading = { ms: 5.55, record: notes.record, failure: 'key_refused' } as const;
    const session = { room: 'room-1' };
    expect(outcomeMetadata({ ...outcome([]), grading, session, hasScreenshot: true })).toMatchObject({
      judge: { name: 'anthropic', prompt_version: 'v1', answered_by: ['examiner-1-0001'], seed: 7 },
      judge_calls: 1,
      judge_failure: 'key_refused',
      usage: { judge: { input_tokens: 100, output_tokens: 10, cost_usd: 0.25 } },
      timings: { grading_ms: 5.6 },
      session: { room: 'room-1' },
      screenshot: true,
    });
  });

  it('says what the patient did, shortened, how it was audited, and how often its messages were written twice', () => {
    const said = `${'a'.repeat(499)}\u{1f62e}`;
    const fault = { turn: 2, kind: 'invented', severity: 'helped', text: said } as const;
    const faults = Array.from({ length: 60 }, () => fault);
    const patient = { ...new PatientRecord().facts, faults, audit: 'done', auditMs: 7.77 } as const;
    const { turn: _, ...first } = fault;
    const mended = testerNotes(1, NO_USAGE, [first]);
    const told = outcomeMetadata({ ...outcome([turn(1, mended), turn(2, {}), turn(3, mended)]), patient });
    expect(told).toMatchObject({ patient_audit: 'done', patient_retries: 2, timings: { audit_ms: 7.8 } });
    // Half of a character is none.
    expect(told.patient_faults).toEqual(
      Array.from({ length: 50 }, () => ({ ...fault, text: `${'a'.repeat(499)}\ufffd` })),
    );
  });

  it('has no time of a reply that was given elsewhere', () => {
    const held: TurnRecord = { ...turn(1, {}), latencyMs: null };
    expect(outcomeMetadata(outcome([held])).timings?.turns).toEqual([{ turn: 1, tester_ms: 0, agent_ms: null }]);
  });

  it('tells of a call what the call told', () => {
    const spoken = callFacts({ minutes: 1.5 });
    expect(outcomeMetadata({ ...outcome([]), spoken }).spoken).toEqual(spoken);
  });

  it('reads of notes only what it understands', () => {
    const notes = { tester_usage: { calls: 1, answered_by: ['patient-1-a', 7, null], input_tokens: 'many' } };
    const agent = { usage: { prompt_tokens: 'three' } };
    expect(outcomeMetadata(outcome([turn(1, { ...notes, agent })]))).toMatchObject({
      tester: { answered_by: ['patient-1-a'] },
      usage: { tester: { calls: 1, input_tokens: 0 }, agent: null },
    });
  });
});

it.each([
  ['offline', 'anthropic', true],
  ['anthropic', 'offline', true],
  ['anthropic', 'anthropic', false],
] as const)('a tester %s and a judge %s: offline is %s', (tester, judge, offline) => {
  const parts = {
    tester: { name: tester, model: null, promptVersion: null },
    judge: { name: judge, model: null, promptVersion: null },
  };
  expect(examinerMetadata(parts).offline).toBe(offline);
});

describe('notes of a turn', () => {
  it('leave out what there is nothing of', () => {
    expect(agentNotes({}, false)).toEqual({});
    expect(agentNotes({}, false)).not.toHaveProperty('spoken');
    expect(testerNotes(1, NO_USAGE, [])).not.toHaveProperty('patient_mended');
    expect(agentNotes({ id: 'x' }, true)).toEqual({ agent: { id: 'x' }, in_doubt: true });
    expect(agentNotes({}, false, { heard: 'Hello.' })).toEqual({ spoken: { heard: 'Hello.' } });
  });

  it('say what was wrong with a message that was written twice', () => {
    const fault = { kind: 'invented', severity: 'minor', text: 'I take aspirin.' } as const;
    expect(testerNotes(1, NO_USAGE, [fault]).patient_mended).toEqual([fault]);
    const many = Array.from({ length: 60 }, () => ({ ...fault, text: 'x'.repeat(600) }));
    const shortened = { ...fault, text: 'x'.repeat(500) };
    expect(testerNotes(1, NO_USAGE, many).patient_mended).toEqual(Array.from({ length: 50 }, () => shortened));
  });
});

describe('what an execution reads of its record', () => {
  it.each([
    [undefined, null],
    [null, null],
    ['after this', 'after this'],
    [7, 7],
    [false, false],
    [{ last: null }, { last: null }],
    [
      { ids: [1, { last: true }], none: undefined },
      { ids: [1, { last: true }], none: null },
    ],
  ])('the place of the agent in the conversation: %j', (continuation, read) => {
    expect(
      continuationOf([
        { ...turn(1, {}), continuation: 'earlier' },
        { ...turn(2, {}), continuation },
      ]),
    ).toEqual(read);
  });

  it('has no place at the beginning', () => {
    expect(continuationOf([])).toBeNull();
    expect(continuationOf([{ ...turn(1, {}), continuation: 'first' }])).toBe('first');
  });

  it('has a script, a complaint and a patient, whatever somebody stored', () => {
    const scenario = (content: Notes) => ({ scenario: { name: 'Chest pain', content, rubric_criteria: [] } });
    expect(scenarioOf(scenario({ script: 1, chief_complaint: null, demographics: 'old', extra: true }))).toEqual({
      name: 'Chest pain',
      content: { script: '', chief_complaint: '', demographics: {}, extra: true },
    });
    const whole = { script: 'Says.', chief_complaint: 'Pain.', demographics: { age: 58 } };
    expect(scenarioOf(scenario(whole))).toEqual({ name: 'Chest pain', content: whole });
    expect(scenarioOf(scenario({ ...whole, demographics: null })).content.demographics).toEqual({});
  });
});
