import {
  doubtsAbout,
  haveSameExaminers,
  haveSamePatients,
  type ComparedRun,
} from '../../../src/features/statistics/comparison-doubts';
import type { Matched } from '../../../src/features/statistics/matched-scenarios';
import type { Examiners } from '../../../src/engine/ledger';
import { spokenRun } from '../../setup/spoken-run';

const examiners = (judge: string, model: string | null = null, prompt_version: string | null = 'v1'): Examiners => ({
  tester: { name: 'offline', model: null, prompt_version: 'v1' },
  judge: { name: judge, model, prompt_version },
});

const sideOf = (pairs: readonly Examiners[], patients: readonly string[] = ['calm, de']): ComparedRun['side'] => ({
  tallies: { scenarios: [], examiners: pairs },
  prints: [],
  patients,
});

const compared = (changes: Partial<ComparedRun['run']> = {}, side = sideOf([examiners('offline')])): ComparedRun => ({
  run: {
    status: 'completed',
    trials: 3,
    max_turns: 10,
    pass_threshold: 60,
    region: 'EU',
    spoken: null,
    agent_config_hash: 'hash',
    ...changes,
  },
  side,
});

const MATCHED: Matched = {
  compared: [],
  otherText: [],
  otherRubric: [],
  changed: 0,
  onlyBefore: 0,
  onlyAfter: 0,
  ungraded: 0,
};

const doubts = (before: ComparedRun, after: ComparedRun, matched: Partial<Matched> = {}) =>
  doubtsAbout(before, after, { ...MATCHED, ...matched }).map(({ kind, sentence }) => [kind, sentence]);

type Changes = Partial<ComparedRun['run']>;

describe('what differs between two runs apart from the agent', () => {
  test('is nothing where nothing does', () => {
    expect(doubts(compared(), compared())).toEqual([]);
  });

  test.each<[string, Changes, Changes, string]>([
    ['status', { status: 'canceled' }, {}, 'The run before is canceled: not all of it was carried out.'],
    ['status', {}, { status: 'failed' }, 'The run after is failed: not all of it was carried out.'],
    ['trials', { trials: 1 }, {}, 'Trials: 1 before, 3 after.'],
    ['max_turns', {}, { max_turns: 12 }, 'Turns of a conversation: 10 before, 12 after.'],
    ['pass_threshold', { pass_threshold: 70 }, {}, 'Pass threshold: 70 % before, 60 % after.'],
    ['region', { region: null }, {}, 'Region: not said before, EU after.'],
    ['region', {}, { region: null }, 'Region: EU before, not said after.'],
    [
      'agent_config',
      { agent_config_hash: 'other' },
      {},
      'The config of the agent changed between the runs: compare agent_config of the two.',
    ],
    [
      'modality',
      {},
      { spoken: spokenRun() },
      'The run before is in text, and the run after spoken: the difference is what voice does to the agent, and no change of it.',
    ],
    [
      'modality',
      { spoken: spokenRun() },
      {},
      'The run after is in text, and the run before spoken: the difference is what voice does to the agent, and no change of it.',
    ],
    [
      'spoken',
      { spoken: spokenRun() },
      { spoken: spokenRun({ line: 'phone' }) },
      'Spoken: espeak-ng 1.51 en-us over wideband without a transcriber before, espeak-ng 1.51 en-us over phone without a transcriber after.',
    ],
  ])('is said: %s', (kind, before, after, sentence) => {
    expect(doubts(compared(before), compared(after))).toEqual([[kind, sentence]]);
  });

  test('is no other config where one of the two is not known, and no other sound where both sound alike', () => {
    expect(doubts(compared({ agent_config_hash: null }), compared())).toEqual([]);
    expect(doubts(compared(), compared({ agent_config_hash: null }))).toEqual([]);
    expect(doubts(compared({ spoken: spokenRun() }), compared({ spoken: spokenRun() }))).toEqual([]);
  });

  test('names what was left out, five of many, and counts the rest', () => {
    const otherText = ['a', 'b', 'c', 'd', 'e'];
    const otherRubric = [...otherText, 'f', 'g'];
    expect(doubts(compared(), compared(), { otherText, otherRubric, onlyAfter: 2 })).toEqual([
      ['scenario_text', 'Left out because their text was changed between the runs: "a", "b", "c", "d", "e".'],
      ['rubric', 'Left out because their rubric was changed between the runs: "a", "b", "c", "d", "e" and 2 more.'],
      ['scenarios', 'Left out because they are in only one of the runs: 0 of the run before, 2 of the run after.'],
    ]);
    expect(doubts(compared(), compared(), { onlyBefore: 1 })).toEqual([
      ['scenarios', 'Left out because they are in only one of the runs: 1 of the run before, 0 of the run after.'],
    ]);
  });

  test('is told in the words that tell the runs apart', () => {
    const words = { before: 'with Agent A', after: 'with Agent B' };
    const [doubt] = doubtsAbout(compared({ trials: 1 }), compared(), MATCHED, words);
    expect(doubt?.sentence).toBe('Trials: 1 with Agent A, 3 with Agent B.');
  });

  test('is who examined, and their instructions only where they are the same', () => {
    const by = (...pairs: readonly Examiners[]) => compared({}, sideOf(pairs));
    const claude = examiners('anthropic', 'claude', 'v1');
    expect(doubts(by(examiners('offline'), claude, claude), by(claude))).toEqual([
      [
        'examiners',
        'Patient and judge: offline and offline, or offline and anthropic claude before, offline and anthropic claude after.',
      ],
    ]);
    expect(doubts(by(), by(claude))).toEqual([
      ['examiners', 'Patient and judge: unknown before, offline and anthropic claude after.'],
    ]);
    const PROMPTS =
      'The instructions of the patient or the judge, or the rules of the offline judge, changed between the runs.';
    expect(doubts(by(claude), by(examiners('anthropic', 'claude', 'v2')))).toEqual([['prompts', PROMPTS]]);
    expect(doubts(by(claude), by(examiners('anthropic', 'claude', null)))).toEqual([['prompts', PROMPTS]]);
    const patient = { ...claude, tester: { ...claude.tester, prompt_version: null } };
    expect(doubts(by(claude), by(patient))).toEqual([['prompts', PROMPTS]]);
  });

  test('is which patients took part', () => {
    const played = (...patients: readonly string[]) => compared({}, sideOf([examiners('offline')], patients));
    expect(doubts(played('calm', 'shy'), played('calm'))).toEqual([
      ['patients', 'Patients: calm; shy before, calm after.'],
    ]);
  });
});

test('the same examiners are the same by name and model, in whatever order and however often', () => {
  const [one, other] = [examiners('offline'), examiners('anthropic', 'claude')];
  expect(haveSameExaminers([one, other], [other, one, one])).toBe(true);
  expect(haveSameExaminers([one], [examiners('offline', null, 'v2')])).toBe(true);
  expect(haveSameExaminers([other], [examiners('anthropic', 'another')])).toBe(false);
  expect(haveSameExaminers([one, other], [one])).toBe(false);
});

test('the same patients are the same names', () => {
  expect(haveSamePatients(sideOf([], ['a', 'b']), sideOf([], ['a', 'b']))).toBe(true);
  expect(haveSamePatients(sideOf([], ['a', 'b']), sideOf([], ['a']))).toBe(false);
});
