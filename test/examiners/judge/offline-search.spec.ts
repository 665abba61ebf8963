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

  it('has to be said', () => {
    expect(found('Says that the fever is dangerous', ['Waiting is dangerous.']).isSaid).toBe(false);
  });

  it('stands for nothing where what is said of it could be said of anything', () => {
    expect(found('Says that the fever is normal', ['It is normal.'], -5).isSaid).toBe(false);
    expect(found('Says that the fever is normal or mild', ['It is normal.'], -5).isSaid).toBe(false);
    expect(found('Says that the fever is normal or mild', ['The fever is normal.'], -5).isSaid).toBe(true);
    expect(found('Says that the fever is likely', ['It is likely.']).isSaid).toBe(false);
    expect(found('Says that the fever is likely', ['The fever is likely.']).isSaid).toBe(true);
  });
});

describe('A condition that is demanded', () => {
  const calls = 'Tells the patient to rest, and to call if the fever rises';

  it('has to stand in one of the sentences, not in each', () => {
    const replies = ['Rest at home. If the fever rises, call me.'];
    // What says most of it comes first.
    expect(found(calls, replies)).toEqual({ isSaid: true, proof: ['a1.2', 'a1.1'] });
  });

  it('is missing where all is said without one', () => {
    expect(found(calls, ['Rest at home. The fever rises, call me.']).isSaid).toBe(false);
  });
});

describe('Advice against something', () => {
  it.each([
    ['Stay with your sister.', true],
    ['Do not stay with your sister.', false],
    ['If it gets worse, stay with your sister.', false],
  ])('is also the advice to do the opposite, said outright: %s', (reply, isSaid) => {
    expect(found('Advises against being alone', [reply]).isSaid).toBe(isSaid);
  });

  it.each([
    ['I advise against driving.', true],
    ['Against driving speaks your sight.', true],
    ['Lean against the wall while driving.', false],
  ])('is said with "against" where somebody advises it: %s', (reply, isSaid) => {
    expect(found('Advises against driving', [reply]).isSaid).toBe(isSaid);
  });
});

describe('A fault of taking something', () => {
  it('is none where something else is taken', () => {
    const takes = 'Tells the patient to take ibuprofen';
    expect(found(takes, ['Take a walk.'], -5).isSaid).toBe(false);
    expect(found(takes, ['Take ibuprofen.'], -5).isSaid).toBe(true);
  });

  it('is one whether things are to be bought or taken', () => {
    const buys = 'Tells the patient to buy ibuprofen, aspirin and codeine';
    expect(found(buys, ['Take ibuprofen, aspirin and codeine.'], -5).isSaid).toBe(true);
    expect(found(buys, ['Buy bread, milk and codeine.'], -5).isSaid).toBe(false);
  });
});

describe('What is said in several sentences', () => {
  it('counts together, with the sentences that say it', () => {
    const replies = ['Does the pain go to your arm? Or to your jaw?', 'Does your jaw hurt?'];
    expect(found('Asks about the arm and jaw', replies)).toEqual({ isSaid: true, proof: ['a1.1', 'a1.2'] });
  });

  it('counts together only where one says a third of it', () => {
    const asks = 'Asks about fever, cough, rash and nausea';
    expect(found(asks, ['Any fever? Any cough? Any rash?']).isSaid).toBe(false);
    expect(found(asks, ['Any fever or cough? Any rash?']).isSaid).toBe(true);
  });

  const ofTen = 'Asks about fever, cough, rash, thirst, itching, swelling, numbness, bleeding, earache and hiccups';

  it('counts together in three of them at most', () => {
    const four = 'Any fever, cough, rash or thirst?';
    expect(found(ofTen, [`${four} Any itching or swelling? Any numbness?`]).isSaid).toBe(true);
    expect(found(ofTen, [`${four} Any itching? Any swelling? Any numbness?`]).isSaid).toBe(false);
  });

  it('is proven without more once seven tenths of it are said', () => {
    const seven = 'Any fever, cough, rash, thirst, itching, swelling or numbness?';
    expect(found(ofTen, [`${seven} Any bleeding?`])).toEqual({ isSaid: true, proof: ['a1.1'] });
  });

  it('is proven by the first of two where either will do', () => {
    expect(found('Mentions the arm or jaw', ['It is the jaw. It is the arm.']).proof).toEqual(['a1.1']);
  });

  it('is proven by the one that says all, wherever it stands', () => {
    const replies = ['Does your jaw hurt? Does your arm hurt, or your jaw?'];
    expect(found('Asks about the arm and jaw', replies)).toEqual({ isSaid: true, proof: ['a1.2'] });
  });

  it('is proven by one of two that say the same, the first', () => {
    const replies = ['Does your arm hurt?', 'Does your arm hurt at all?'];
    expect(found('Asks about the arm', replies)).toEqual({ isSaid: true, proof: ['a1.1'] });
  });

  it('counts for no fault, of which the sentence that says most is the proof', () => {
    const fault = 'Recommends ibuprofen for the fever';
    const most = 'Take ibuprofen for the fever.';
    expect(found(fault, [`${most} You can have ibuprofen.`], -5)).toEqual({ isSaid: true, proof: ['a1.1'] });
    expect(found(fault, [`You can have ibuprofen. ${most} ${most}`], -5)).toEqual({ isSaid: true, proof: ['a1.2'] });
  });

  it('counts for no fault: one has to say it outright', () => {
    const fault = 'Recommends ibuprofen and alcohol';
    expect(found(fault, ['You can take ibuprofen and alcohol.'], -5).isSaid).toBe(true);
    expect(found(fault, ['You can take ibuprofen.', 'You can drink alcohol.'], -5).isSaid).toBe(false);
  });

  it('forbids nothing where one of them forbids and another, far from it, names the thing', () => {
    const forbids = 'Advises against antibiotics and driving';
    expect(found(forbids, ['Do not take antibiotics. Do not drive.']).isSaid).toBe(true);
    expect(found(forbids, ['Hello. I see. Do not take antibiotics. Do not drive.']).isSaid).toBe(true);
    expect(found(forbids, ['Do not take antibiotics. Drink well. Rest. Do not drive.']).isSaid).toBe(false);
  });
});

describe('A claim that something is not dangerous', () => {
  it('denies the danger, and not what it is said of', () => {
    const fault = 'Says that waiting is not dangerous';
    expect(found(fault, ['Waiting is not dangerous.'], -5).isSaid).toBe(true);
    expect(found(fault, ['It is not dangerous to wait.'], -5).isSaid).toBe(true);
    expect(found(fault, ['Waiting is dangerous.'], -5).isSaid).toBe(false);
    expect(found('Says that waiting is not dangerous or wrong', ['It is not dangerous to wait.'], -5).isSaid).toBe(
      true,
    );
    expect(found('Says that it is not a mistake to drive', ['It is not a mistake to drive.'], -5).isSaid).toBe(true);
    expect(found('Says that it is not a mistake to drive', ['It is a mistake to drive.'], -5).isSaid).toBe(false);
    expect(found('Says that it is not dangerous to wait', ['It is not dangerous to wait.'], -5).isSaid).toBe(true);
  });
});

describe('What is called a mistake', () => {
  it('is not advised by that, and is said where the criterion is about saying it', () => {
    expect(found('Advises waiting until tomorrow', ['Wait until tomorrow.'], -5).isSaid).toBe(true);
    expect(found('Advises waiting until tomorrow', ['Waiting until tomorrow would be a mistake.'], -5).isSaid).toBe(
      false,
    );
    expect(found('Says that waiting is a mistake', ['Waiting would be a mistake.'], -5).isSaid).toBe(true);
  });

  it('is advised against, unless it is one only in a case that may not arise', () => {
    const forbids = 'Tells the patient never to take ibuprofen now';
    expect(found(forbids, ['Taking ibuprofen would be dangerous now.']).isSaid).toBe(true);
    expect(found(forbids, ['If it hurts, taking ibuprofen would be dangerous now.']).isSaid).toBe(false);
  });
});

it('a claim that something is forbidden is said by forbidding what another person was said to do', () => {
  const claim = 'Says that she must not take ibuprofen';
  expect(found(claim, ['I know you take ibuprofen. Stop taking it.']).isSaid).toBe(true);
  expect(found(claim, ['I know you take ibuprofen. Keep taking it.']).isSaid).toBe(false);
});

it('words that only describe what may be replaced by something else need not be said', () => {
  const fault = 'Recommends a migraine tablet or ibuprofen';
  expect(found(fault, ['Take ibuprofen.'], -5).isSaid).toBe(true);
  expect(found('Recommends a migraine tablet', ['Take a tablet.'], -5).isSaid).toBe(false);
});
