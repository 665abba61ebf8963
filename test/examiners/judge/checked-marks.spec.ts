import { checkMarks, isOmission, sentenceId, type IndexedCriterion } from '../../../src/examiners/judge/checked-marks';
import type {
  Mark,
  MarkingAnswer,
  MarkingRequest,
  NumberedSentence,
} from '../../../src/examiners/judge/marking-request';
import { NO_USAGE } from '../../../src/examiners/model/model-usage';
import { criterion } from '../../setup/transcripts';

function sentence(id: string, more: Partial<NumberedSentence> = {}): NumberedSentence {
  const speaker = id.startsWith('a') ? 'agent' : 'patient';
  const turn = Number(/\d+/.exec(id)?.[0]);
  return { id, speaker, turn, text: 'Well.', toExaminer: false, leftOutBefore: 0, ...more };
}

const SENTENCES = [
  ...['p1.1', 'a1.1', 'a1.2', 'a1.10', 'p2.1', 'a2.1', 'a2.2', 'a3.1', 'a3.2'].map((id) => sentence(id)),
  sentence('a3.3', { toExaminer: true }),
];
const REQUEST: MarkingRequest = {
  extent: 'whole',
  questions: [],
  sentences: SENTENCES,
  marker: 'm',
  region: null,
  scale: ['MET', 'PARTIALLY MET', 'NOT MET'],
};
const ASKS: IndexedCriterion = { ...criterion('Asks when it started'), index: 4 };

const mark = (more: Partial<Mark> = {}): Mark => ({
  number: 1,
  evidence: ['a1.1'],
  absence: false,
  rationale: 'It was said.',
  decision: 'MET',
  ...more,
});

interface Circumstances {
  readonly criterion?: IndexedCriterion;
  readonly answer?: Partial<MarkingAnswer>;
  readonly request?: Partial<MarkingRequest>;
  readonly isSecondAsking?: boolean;
}

function checked(marks: readonly Mark[], circumstances: Circumstances = {}) {
  const { criterion: asked = ASKS, answer = {}, request = {}, isSecondAsking = false } = circumstances;
  const whole = { marks, addressedToExaminer: [], summary: '', usage: NO_USAGE, answeredBy: null, ...answer };
  return checkMarks(new Map([[1, asked]]), { ...REQUEST, ...request }, whole, isSecondAsking);
}

const idsOf = (...args: Parameters<typeof checked>) =>
  checked(...args).decisions.map(({ decision, evidence }) => [decision, evidence.map(({ id }) => id)]);
const objectionTo = (...args: Parameters<typeof checked>) => {
  const { decisions, objections } = checked(...args);
  expect(decisions).toEqual([]);
  return objections.get(ASKS.index);
};

describe('A mark holds', () => {
  it('with the sentences of the agent that it names, in the order of the conversation', () => {
    expect(idsOf([mark({ evidence: ['a2.1', 'a1.10', 'p1.1', 'a1.2'] })])).toEqual([
      ['MET', ['a1.2', 'a1.10', 'a2.1']],
    ]);
    expect(checked([mark()])).toMatchObject({ decisions: [{ index: 4, absence: false, rationale: 'It was said.' }] });
    expect(checked([mark()]).objections.size).toBe(0);
  });

  it('with at most five sentences, the first of those named', () => {
    const evidence = ['a3.2', 'a3.1', 'a2.2', 'a2.1', 'a1.2', 'a1.1'];
    expect(idsOf([mark({ evidence })])).toEqual([['MET', ['a1.1', 'a1.2', 'a2.1', 'a2.2', 'a3.1']]]);
  });

  it('with a sentence that is named twice once', () => {
    expect(idsOf([mark({ evidence: ['a1.1', '[A1.1]'] })])).toEqual([['MET', ['a1.1']]]);
  });

  it('if it is NOT MET, without any proof', () => {
    expect(idsOf([mark({ decision: 'NOT MET', evidence: [] })])).toEqual([['NOT MET', []]]);
    expect(idsOf([mark({ decision: 'NOT MET', evidence: ['p1.1', 'a3.3', 'a1.1'], absence: true })])).toEqual([
      ['NOT MET', ['a1.1']],
    ]);
  });

  it('by absence where the criterion says that something is left out, and then without a sentence', () => {
    const avoids = { ...criterion('Does not give a diagnosis'), index: 4 };
    const { decisions } = checked([mark({ absence: true })], { criterion: avoids });
    expect(decisions).toMatchObject([{ decision: 'MET', absence: true, evidence: [] }]);
  });

  it('of a fault by words to the examiner, too', () => {
    const fault = { ...criterion('Gives a diagnosis', -5), index: 4 };
    const marks = [mark({ evidence: ['a3.3', 'a2.1'] })];
    const answer = { addressedToExaminer: ['a2.1'] };
    expect(idsOf(marks, { criterion: fault, answer })).toEqual([['MET', ['a2.1', 'a3.3']]]);
  });

  it('with a rationale of at most 2,000 characters that PostgreSQL can store', () => {
    const [decision] = checked([mark({ rationale: `a\0b\ud800${'c'.repeat(3_000)}` })]).decisions;
    expect(decision?.rationale).toBe(`ab\ufffd${'c'.repeat(1_996)}`);
  });
});

describe('A mark is objected to', () => {
  it.each<readonly [string, readonly Mark[], Circumstances, RegExp]>([
    ['that is not given', [], {}, /^No decision was given/],
    ['of another question', [mark({ number: 2 })], {}, /^No decision was given/],
    ['that is given twice', [mark(), mark()], {}, /^More than one decision/],
    [
      'outside the scale',
      [mark({ decision: 'PARTIALLY MET' })],
      { request: { scale: ['MET', 'NOT MET'] } },
      /one of MET, NOT MET\.$/,
    ],
    ['that names too many sentences', [mark({ evidence: Array.from({ length: 101 }, () => 'a1.1') })], {}, /^Too many/],
    [
      'that names a sentence that is not there',
      [mark({ evidence: ['a1.1', 'a9.9'] })],
      {},
      /^There is no sentence "a9\.9"/,
    ],
    ['that names no sentence', [mark({ evidence: [] })], {}, /^No sentence was named\. MET has to be/],
    ['of half, that names none', [mark({ evidence: [], decision: 'PARTIALLY MET' })], {}, /PARTIALLY MET has to be/],
    ['that names only the patient', [mark({ evidence: ['p1.1'] })], {}, /^Sentences of the patient prove nothing/],
    [
      'that names words to the examiner',
      [mark({ evidence: ['a3.3', 'p1.1'] })],
      {},
      /^Sentences that speak to the examiner/,
    ],
    [
      'that names what the judge calls such',
      [mark()],
      { answer: { addressedToExaminer: ['"A1.1"'] } },
      /^Sentences that speak/,
    ],
    ['by absence of what must be said', [mark({ evidence: [], absence: true })], {}, /absence cannot prove it/],
  ])('%s', (_, marks, circumstances, objection) => {
    expect(objectionTo(marks, circumstances)).toMatch(objection);
  });

  it('if the whole answer is longer than 200,000 characters, with its summary', () => {
    const long = [mark({ rationale: 'a'.repeat(150_000) })];
    expect(objectionTo(long, { answer: { summary: 'b'.repeat(50_001) } })).toMatch(/^The answer was too long/);
    expect(idsOf(long, { answer: { summary: 'b'.repeat(50_000) } })).toEqual([['MET', ['a1.1']]]);
  });

  it('not if it names 100 sentences', () => {
    expect(idsOf([mark({ evidence: Array.from({ length: 100 }, () => 'a1.1') })])).toEqual([['MET', ['a1.1']]]);
  });
});

describe('What is due by a turn', () => {
  const due = { ...ASKS, by_turn: 2 };

  it('is done by sentences up to that turn', () => {
    expect(idsOf([mark({ evidence: ['a1.1', 'a2.2'] })], { criterion: due })).toEqual([['MET', ['a1.1', 'a2.2']]]);
  });

  it('is not done if all that prove it come later', () => {
    const [decision] = checked([mark({ evidence: ['a3.1'] })], { criterion: due }).decisions;
    expect(decision).toMatchObject({
      decision: 'NOT MET',
      rationale: 'Done only in turn 3; it had to be done by turn 2. It was said.',
      evidence: [{ id: 'a3.1' }],
    });
  });

  it('is not done for that reason alone if the judge gave none', () => {
    const [decision] = checked([mark({ evidence: ['a3.1'], rationale: '' })], { criterion: due }).decisions;
    expect(decision?.rationale).toBe('Done only in turn 3; it had to be done by turn 2.');
  });

  it('is asked about again if only some come later, and then is not done', () => {
    const marks = [mark({ evidence: ['a1.1', 'a3.1'] })];
    expect(objectionTo(marks, { criterion: due })).toMatch(/^It had to be done by turn 2\. Name only sentences up to/);
    const again = idsOf(marks, { criterion: due, isSecondAsking: true });
    expect(again).toEqual([['NOT MET', ['a1.1', 'a3.1']]]);
  });

  it('is due whatever it is worth', () => {
    const worthNothing = { ...due, points: 0 };
    expect(idsOf([mark({ evidence: ['a3.1'] })], { criterion: worthNothing })).toEqual([['NOT MET', ['a3.1']]]);
  });

  it('counts for a fault whenever it is done', () => {
    const fault = { ...criterion('Gives a diagnosis', -5), index: 4, by_turn: 2 };
    expect(idsOf([mark({ evidence: ['a3.1'] })], { criterion: fault })).toEqual([['MET', ['a3.1']]]);
  });
});

describe('The id of a sentence', () => {
  it.each(['a1.2', ' A1.2 ', '[a1.2]', '"a1.2"', '“a1.2”', "('a1.2')"])('is read as models write it: %s', (written) => {
    expect(sentenceId(written)).toBe('a1.2');
  });

  it('has at most 100 characters', () => {
    expect(sentenceId('a'.repeat(101))).toBe('a'.repeat(100));
  });
});

describe('An omission', () => {
  it.each(['Does not give a diagnosis', 'The agent fails to ask', '  Lacks a plan', 'There is no plan', 'Never asks'])(
    'is one: %s',
    (text) => {
      expect(isOmission({ criterion: text, points: 5 })).toBe(true);
    },
  );

  it.each(['Asks whether there is no pain', 'Notes the time', 'Asks when it started'])('is none: %s', (text) => {
    expect(isOmission({ criterion: text, points: 5 })).toBe(false);
  });
});
