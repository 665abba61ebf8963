import { ReplyIndex } from '../../../src/examiners/judge/reply-index';
import { numberTranscript } from '../../../src/examiners/judge/numbered-transcript';
import { requirementOf } from '../../../src/examiners/judge/requirement';
import { searchFault, searchWanted, WHOLE } from '../../../src/examiners/judge/search';
import { transcriptOf } from '../../setup/transcripts';

/** What is found of a criterion in these replies. */
function found(criterion: string, replies: readonly string[], points = 5) {
  const { sentences } = numberTranscript({ transcript: transcriptOf(replies), criteria: [] });
  const index = ReplyIndex.of(sentences, 'all');
  const search = points < 0 ? searchFault : searchWanted;
  const { share, sentences: proof } = search(requirementOf({ criterion, points }), index);
  return { isSaid: share >= WHOLE, proof: proof.map(({ id }) => id) };
}

describe('"It"', () => {
  it('stands for what a claim is about, beside what is said of it', () => {
    expect(found('Says that the fever is dangerous', ['It is dangerous.']).isSaid).toBe(true);
  });

  it('stands for nothing where what is said of it could be said of anything', () => {
    expect(found('Says that the fever is likely', ['It is likely.']).isSaid).toBe(false);
    expect(found('Says that the fever is likely', ['The fever is likely.']).isSaid).toBe(true);
  });
});

describe('What is said in several sentences', () => {
  it('counts together, with the sentences that say it', () => {
    const replies = ['Does the pain go to your arm? Or to your jaw?', 'Does your jaw hurt?'];
    expect(found('Asks about the arm and jaw', replies)).toEqual({ isSaid: true, proof: ['a1.1', 'a1.2'] });
  });

  it('is proven by one of two that say the same, the first', () => {
    const replies = ['Does your arm hurt?', 'Does your arm hurt at all?'];
    expect(found('Asks about the arm', replies)).toEqual({ isSaid: true, proof: ['a1.1'] });
  });

  it('counts for no fault: one has to say it outright', () => {
    const fault = 'Recommends ibuprofen and alcohol';
    expect(found(fault, ['You can take ibuprofen and alcohol.'], -5).isSaid).toBe(true);
    expect(found(fault, ['You can take ibuprofen.', 'You can drink alcohol.'], -5).isSaid).toBe(false);
  });

  it('forbids nothing where one of them forbids and another, far from it, names the thing', () => {
    const forbids = 'Advises against antibiotics and driving';
    expect(found(forbids, ['Do not take antibiotics. Do not drive.']).isSaid).toBe(true);
    expect(found(forbids, ['Do not take antibiotics. Drink well. Rest. Do not drive.']).isSaid).toBe(false);
  });
});

describe('A claim that something is not dangerous', () => {
  it('denies the danger, and not what it is said of', () => {
    const fault = 'Says that waiting is not dangerous';
    expect(found(fault, ['Waiting is not dangerous.'], -5).isSaid).toBe(true);
    expect(found(fault, ['It is not dangerous to wait.'], -5).isSaid).toBe(true);
    expect(found(fault, ['Waiting is dangerous.'], -5).isSaid).toBe(false);
    expect(found('Says that it is not a mistake to drive', ['It is not a mistake to drive.'], -5).isSaid).toBe(true);
    expect(found('Says that it is not a mistake to drive', ['It is a mistake to drive.'], -5).isSaid).toBe(false);
    expect(found('Says that it is not dangerous to wait', ['It is not dangerous to wait.'], -5).isSaid).toBe(true);
  });
});
