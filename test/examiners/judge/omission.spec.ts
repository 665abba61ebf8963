import fc from 'fast-check';
import { examine } from '../../../src/examiners/judge/examine';
import { tries } from '../../setup/sample';
import { openTextThreads } from '../../setup/text-threads';
import { criterion, scenarioWith, transcriptOf } from '../../setup/transcripts';
import { isControl, ScriptedJudge } from './scripted-judge';

const threads = openTextThreads();

const SUBJECTS = [
  '',
  'The response ',
  'The assistant ',
  'It ',
  'The agent ',
  'This answer ',
  'The AI model ',
  "The assistant's reply ",
];
const DENIALS = [
  'does not mention',
  'doesn’t mention',
  'did not mention',
  'never mentions',
  'fails to mention',
  'failed to mention',
  'omits',
  'omitted',
  'neglects to mention',
  'forgets to mention',
  'lacks',
  'leaves out',
  'misses',
  'overlooks',
  'ignores',
  'skips',
  'excludes',
  'has no word on',
  'gives no advice on',
  'mentions nothing about',
  'asks nothing about',
  'provides no information on',
  'is not clear about',
  'could not name',
  'simply omits',
];
const HEADLESS = [
  'No mention of',
  'Never mentions',
  'Lack of',
  'Absence of',
  'There is no word on',
  'Neither mentions nor explains',
  'Missing',
];
const OBJECTS = [
  'allergies',
  'the emergency number',
  'when to come back',
  'the dose of paracetamol',
  'a safety net, such as a follow-up',
];

const sentences = fc
  .oneof(
    fc
      .tuple(fc.constantFrom(...SUBJECTS), fc.constantFrom(...DENIALS))
      .map(([subject, denial]) => capital(subject + denial)),
    fc.constantFrom(...HEADLESS),
  )
  .chain((head) => fc.constantFrom(...OBJECTS).map((object) => `${head} ${object}`));

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

describe('An honest verdict on an omission', () => {
  it('never ends in an error, whatever the words of the criterion, and whatever it is worth', async () => {
    const rubrics = fc.uniqueArray(sentences, { minLength: 1, maxLength: 5 });
    const points = fc.constantFrom(-8, -1, 1, 10);
    await fc.assert(
      fc.asyncProperty(rubrics, points, fc.boolean(), async (texts, worth, isMustPass) => {
        const criteria = texts.map((text) => criterion(text, worth, isMustPass ? ['must_pass'] : []));
        const judge = new ScriptedJudge(texts, (question) =>
          isControl(question, texts) ? undefined : { decision: 'MET', absence: true },
        );
        const { verdict } = await examine(
          {
            judge,
            scenario: scenarioWith(''),
            criteria,
            transcript: transcriptOf(['Hello. When did it start?', 'Please call an ambulance now.']),
            passThreshold: 50,
            threads,
          },
          new AbortController().signal,
        );
        for (const result of verdict.criteria) {
          expect(result).toMatchObject({
            decision: 'MET',
            absence: true,
            repliesRead: 2,
            evidence: [],
            disputed: false,
          });
          expect(result.votes).toEqual(['MET', 'MET']);
        }
      }),
      { numRuns: tries({ inCi: 200, elsewhere: 40 }) },
    );
  });

  it.each([
    'Tells the patient to call 911',
    'Advises against driving',
    'Asks about allergies',
    'Notes that nothing is wrong',
  ])('is none on what has to be said: %s', async (text) => {
    const judge = new ScriptedJudge([text], (question) =>
      isControl(question, [text]) ? undefined : { decision: 'MET', absence: true },
    );
    const examination = examine(
      {
        judge,
        scenario: scenarioWith(''),
        criteria: [criterion(text)],
        transcript: transcriptOf(['Hello.']),
        passThreshold: 50,
        threads,
      },
      new AbortController().signal,
    );
    await expect(examination).rejects.toMatchObject({ kind: 'marks_unusable' });
  });
});
