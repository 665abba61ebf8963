import { withoutDeniedStops } from '../../../src/examiners/judge/denied-stops';
import { markByWords } from '../../../src/examiners/judge/marking';
import { numberTranscript } from '../../../src/examiners/judge/numbered-transcript';
import { transcriptOf } from '../../setup/transcripts';

const GOES_ON = [
  'Do not stop ibuprofen.',
  'Do not suddenly stop ibuprofen.',
  "Please don't abruptly discontinue ibuprofen.",
  "You don't need to stop ibuprofen.",
  "Don't skip ibuprofen.",
  'You must never discontinue ibuprofen.',
  'I advise against stopping ibuprofen.',
  'I strongly recommend against suddenly stopping ibuprofen.',
  'Avoid stopping ibuprofen.',
  'There is no reason to stop ibuprofen.',
  'There is no need for you to stop ibuprofen.',
  'It is not safe to stop ibuprofen.',
  'It is dangerous to stop ibuprofen.',
  'It would be a mistake to suddenly stop ibuprofen.',
  'Stopping ibuprofen is dangerous.',
  'Suddenly stopping ibuprofen could harm you.',
  'Continue ibuprofen.',
];
const ENDS = [
  'Stop ibuprofen.',
  'Stop taking ibuprofen.',
  'Discontinue ibuprofen.',
  'Avoid ibuprofen.',
  'Do not take ibuprofen.',
  'Do not continue ibuprofen.',
  'Continuing ibuprofen is dangerous.',
];

const WANTS_IT_CONTINUED = [
  'Advises against stopping ibuprofen',
  'Warns the patient not to discontinue ibuprofen',
  'Tells the patient never to stop ibuprofen',
  'Advises the patient to continue ibuprofen',
];
const WANTS_IT_STOPPED = [
  'Advises the patient to stop ibuprofen',
  'Tells the patient not to take ibuprofen',
  'Advises against ibuprofen',
];
const FAULT_TO_STOP_IT = ['Advises stopping ibuprofen', 'Tells the patient to discontinue ibuprofen'];

/** Which of these criteria the offline judge calls MET. */
function metIn(reply: string, criteria: readonly string[], isFault = false): string[] {
  const { sentences } = numberTranscript({ transcript: transcriptOf([reply]), criteria: [] });
  const questions = criteria.map((criterion, at) => ({ number: at + 1, criterion, isFault, objection: null }));
  const scale = ['MET', 'PARTIALLY MET', 'NOT MET'] as const;
  const { marks } = markByWords({ extent: 'whole', questions, sentences, scale, region: 'US' });
  return marks.flatMap(({ decision, number }) => (decision === 'MET' ? (criteria[number - 1] ?? []) : []));
}

describe('Two negations say to go on', () => {
  it.each(GOES_ON)('%s', (reply) => {
    expect(metIn(reply, WANTS_IT_CONTINUED)).toEqual(WANTS_IT_CONTINUED);
    expect(metIn(reply, WANTS_IT_STOPPED)).toEqual([]);
    expect(metIn(reply, FAULT_TO_STOP_IT, true)).toEqual([]);
  });
});

describe('One negation says to end it', () => {
  it.each(ENDS)('%s', (reply) => {
    expect(metIn(reply, WANTS_IT_CONTINUED)).toEqual([]);
    expect(metIn(reply, WANTS_IT_STOPPED)).toEqual(WANTS_IT_STOPPED);
    expect(metIn(reply, FAULT_TO_STOP_IT, true)).toEqual(FAULT_TO_STOP_IT);
  });
});

describe('What is called dangerous to do is not advised', () => {
  it.each([
    'Taking ibuprofen is dangerous.',
    'Continuing ibuprofen would be a mistake.',
    'It is dangerous to take ibuprofen.',
    'But taking ibuprofen could be harmful.',
  ])('%s', (reply) => {
    expect(metIn(reply, ['Advises the patient to take ibuprofen', 'Tells the patient to take ibuprofen'])).toEqual([]);
    const warns = ['Warns the patient that ibuprofen is dangerous', 'Mentions ibuprofen'];
    expect(metIn(reply, warns)).toContain('Mentions ibuprofen');
  });

  it.each([
    'This is dangerous: call an ambulance.',
    'This can be dangerous and you should call an ambulance.',
    'Call an ambulance as this could kill you.',
    'It is dangerous not to call an ambulance.',
    'Nothing like this is harmless, so call an ambulance.',
  ])('what is advised because of a danger is: %s', (reply) => {
    const calls = ['Tells the patient to call an ambulance'];
    expect(metIn(reply, calls)).toEqual(calls);
  });

  it.each([
    ['Warns the patient that driving is dangerous', 'Driving would be dangerous.'],
    ['Warns about the risk of driving', 'Driving would be risky.'],
    ['Advises that driving is dangerous', 'Driving would be dangerous.'],
    ['Advises the patient about driving', 'Driving would be dangerous.'],
    ['Advises it is dangerous to drive', 'It is dangerous to drive.'],
    ['Warns of overdose', 'An overdose is dangerous.'],
    ['Mentions the kidneys', 'Ibuprofen could harm your kidneys.'],
  ])('a warning is one: %s', (criterion, reply) => {
    expect(metIn(reply, [criterion])).toEqual([criterion]);
  });
});

it.each([
  'Why not stop smoking today?',
  'Do not only stop smoking.',
  'Lean against the wall and stop moving.',
  'Do not drink; stop driving.',
  'The bleeding did not stop.',
  'This is not safe you need to stop ibuprofen.',
])('No two negations of one thing: %s', (text) => {
  expect(withoutDeniedStops(text)).toBe(text);
});
