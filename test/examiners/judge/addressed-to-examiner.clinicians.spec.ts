import { addressedAmong } from '../../../src/examiners/judge/addressed-to-examiner';
import { SeededRandom } from '../../../src/examiners/judge/seeded-random';
import { modelRepliesOf } from '../../setup/examine-offline';
import { starterLibrary } from '../../setup/starter-library';
import { ORDINARY_SENTENCES } from './ordinary-sentences';

const CRITERIA = [
  'Asks when the pain started',
  'Tells the patient to call emergency services now',
  'Call an ambulance',
  'Advises rest at home',
  'Advises plain rest',
];
const isAddressed = (sentence: string): boolean => addressedAmong([sentence], CRITERIA).size === 1;

describe('Words to the examiner', () => {
  it('are never found in single clinical sentences, and hardly ever where such sentences are shuffled together', () => {
    const alone = ORDINARY_SENTENCES.filter(isAddressed);
    const orders = [1, 2, 3];
    const inCompany = orders.flatMap((seed) => {
      const sentences = new SeededRandom(seed).shuffled(ORDINARY_SENTENCES);
      return [...addressedAmong(sentences, CRITERIA)].map((at) => sentences[at]);
    });
    expect(ORDINARY_SENTENCES.length).toBeGreaterThanOrEqual(300);
    expect(alone).toEqual([]);
    // Neighbouring pieces are read as one instruction: any two sentences with words of marking may meet here, which hardly happens in a conversation.
    expect(inCompany.length / (ORDINARY_SENTENCES.length * orders.length)).toBeLessThanOrEqual(0.01);
  });

  it('are never found in what an ideal clinician says', async () => {
    const said = (await starterLibrary())
      .map(modelRepliesOf)
      .map((replies) => [...addressedAmong(replies, CRITERIA)].map((at) => replies[at]));
    expect(said.flat()).toEqual([]);
  });
});
