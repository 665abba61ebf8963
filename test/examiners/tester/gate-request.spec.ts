import { USUAL_PATIENT } from '../../../src/domain/patient';
import { agentTexts, boundedRequest, type GateFault } from '../../../src/examiners/tester/gate/gate-request';
import { faultsOf, objectionTo } from '../../../src/examiners/tester/gate/message-gate';
import { roleCardOf } from '../../../src/examiners/tester/role-card';
import { exchangesOf, scenarioWith } from '../../setup/transcripts';

const card = roleCardOf(scenarioWith('You feel sick.').content);
const long = `${'a'.repeat(9_000)}${'b'.repeat(9_000)}`;
const heard = `${'a'.repeat(8_000)}\n${'b'.repeat(8_000)}`;

test.each([
  ['a reply of 16,000 characters is heard whole', 'c'.repeat(16_000), 'c'.repeat(16_000)],
  ['of a longer one, the beginning and the end', long, heard],
])('%s', (_what, reply, part) => {
  const history = exchangesOf([['My chest hurts.', reply]]);
  const request = { message: 'Yes.', card, patient: USUAL_PATIENT, criteria: [], greeting: reply, history };
  expect(agentTexts(request)).toEqual([part, part]);
  expect(boundedRequest(request)).toMatchObject({
    greeting: part,
    history: [{ patientMessage: 'My chest hurts.', agentMessage: part }],
  });
  expect(boundedRequest({ ...request, greeting: null }).greeting).toBeNull();
});

const said = (message: string, history: readonly (readonly [string, string])[], criteria: readonly string[] = []) =>
  faultsOf({
    message,
    card,
    patient: USUAL_PATIENT,
    criteria,
    greeting: null,
    history: exchangesOf(history),
  }).map(({ kind, text }) => [kind, text]);

describe('a message that repeats an earlier one', () => {
  test('does so with another opening word, and not with words of its own', () => {
    const earlier = 'The pain spreads into my shoulder blade.';
    const history = [[earlier, 'I see.']] as const;
    expect(said(`Well, ${earlier}`, history)).toEqual([['repeated', `Well, ${earlier}`]]);
    expect(said(`As I said, ${earlier}`, history)).toEqual([]);
  });

  test('does so with another word at its end, where it is long', () => {
    const words = [...'abcdefghijklmnopqrst'].map((letter) => `${letter.repeat(3)}word`);
    const ending = (all: readonly string[], last: string) => `${[...all, last].join(' ')}.`;
    const repeats = (all: readonly string[]) =>
      said(ending(all, 'shoulder'), [[ending(all, 'gallbladder'), 'I see.']]).length === 1;
    expect(repeats(words)).toBe(true);
    expect(repeats(words.slice(1))).toBe(false);
  });

  test('may be of two words alone', () => {
    expect(said('Shoulder blade.', [['Shoulder, blade!', 'I see.']])).toEqual([['repeated', 'Shoulder blade.']]);
    expect(said('Shoulder blade.', [['Blade shoulder.', 'I see.']])).toEqual([]);
  });
});

describe('a fact that is kept until it is asked for', () => {
  const tells = (script: string, message: string) => {
    const { content } = scenarioWith(script);
    const history = exchangesOf([['I have chest pain.', 'I see.']]);
    const request = {
      message,
      card: roleCardOf(content),
      patient: USUAL_PATIENT,
      criteria: [],
      greeting: null,
      history,
    };
    return faultsOf(request).some(({ kind }) => kind === 'volunteered');
  };

  test.each([
    [
      'by the name of a condition alone',
      'If asked about illnesses, your doctor in Leeds found asthma and said so twice.',
      'My doctor spoke of asthma.',
      true,
    ],
    [
      'by the name of a medicine alone',
      'If asked about medicines, your cardiologist in Leeds prescribed Tylenol after surgery.',
      'I swallow Tylenol.',
      true,
    ],
    [
      'by another name of its medicine',
      'If asked about medicines, your cardiologist in Leeds prescribed paracetamol after surgery.',
      'I swallow Tylenol.',
      true,
    ],
    ['by its only word', 'If asked about hobbies, you juggle.', 'I juggle.', true],
    ['by no word of two', 'If asked about hobbies, you juggle oranges.', 'I juggle.', false],
    ['by no everyday word', 'If asked about sugar, you need it.', 'I need my coat.', false],
    ['by no words of the complaint', 'If asked, the pain in your chest began.', 'My chest is in pain.', false],
  ])('is told %s', (_how, script, message, is) => {
    expect(tells(script, message)).toBe(is);
  });
});

describe('a criterion that is spoken', () => {
  test('is three words with its act, or six without it', () => {
    expect(said('Palpates gallbladder carefully', [], ['Palpates gallbladder carefully'])).toHaveLength(1);
    expect(said('Palpates gallbladder', [], ['Palpates gallbladder'])).toEqual([]);
    const criterion = 'Asks whether cramps began before that particular supper';
    expect(said('Yes, cramps began before that particular supper.', [], [criterion])).toEqual([
      ['rubric_spoken', 'cramps began before that particular supper'],
    ]);
    const shorter = 'Asks whether cramps began before particular supper';
    expect(said('Yes, cramps began before particular supper.', [], [shorter])).toEqual([]);
  });

  test('is none where the script has the same words', () => {
    expect(said('You feel sick', [], ['You feel sick'])).toEqual([]);
  });
});

test('an objection names each fault once, and five at most', () => {
  const fault = (at: number): GateFault => ({ kind: 'invented', severity: 'hindered', text: `sign ${at}` });
  const objection = objectionTo([fault(0), ...Array.from({ length: 6 }, (_, at) => fault(at))]);
  expect(objection.match(/"sign \d"/g)).toEqual(['"sign 0"', '"sign 1"', '"sign 2"', '"sign 3"', '"sign 4"']);
});
