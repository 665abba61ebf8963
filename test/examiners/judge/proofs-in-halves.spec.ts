import { examine } from '../../../src/examiners/judge/examine';
import { openTextThreads } from '../../setup/text-threads';
import { criterion, exchangesOf, scenarioWith } from '../../setup/transcripts';
import { ScriptedJudge } from './scripted-judge';

const threads = openTextThreads();
const { signal } = new AbortController();

const SYMPTOMS = ['pain', 'fever', 'cough', 'rash', 'nausea', 'thirst', 'itching'];

/** The agent's sentences in each request in which proofs are read, where every criterion is proven by the sentences named here. */
async function proofsRead(proofs: readonly (readonly string[])[]): Promise<string[][]> {
  const criteria = proofs.map((_, at) => criterion(`Asks about ${SYMPTOMS[at]}`, 1));
  const ids = new Map(criteria.map(({ criterion: text }, at) => [text, proofs[at] ?? []]));
  const judge = new ScriptedJudge([...ids.keys()], ({ criterion: asked, by }) => {
    const evidence = ids.get(asked);
    if (evidence === undefined) return undefined;
    const isOwn = by === undefined || evidence.join() === by.join();
    return isOwn ? { decision: 'MET', evidence } : { decision: 'NOT MET' };
  });
  // Each sentence may prove each criterion: which one does is the script's to say.
  const reply = `Is there any ${SYMPTOMS.join(', ')}?`;
  const transcript = exchangesOf(SYMPTOMS.map((_, at) => [`It began ${at + 1} days ago.`, reply] as const));
  await examine(
    { scenario: scenarioWith(''), criteria, transcript, judge, passThreshold: 50, threads, seed: 7 },
    signal,
  );
  const sheets = judge.sheets.filter(({ extent }) => extent === 'proofs');
  return sheets.map(({ sentences }) => sentences.flatMap(({ id, speaker }) => (speaker === 'agent' ? [id] : [])));
}

const sizesOf = (read: readonly (readonly string[])[]) => read.map(({ length }) => length).sort();

describe('Proofs of criteria of which none is left to be asked beside them', () => {
  it.each([
    [4, [2, 2]],
    [6, [3, 3]],
    [7, [3, 4]],
  ])('%i are read in two parts of about the same size, each sentence in one', async (number, sizes) => {
    const proofs = Array.from({ length: number }, (_, at) => [`a${at + 1}.1`]);
    const read = await proofsRead(proofs);
    expect(sizesOf(read)).toEqual(sizes);
    expect(read.flat().sort()).toEqual(proofs.flat());
  });

  it('stay together where they have a sentence in common, directly or through others', async () => {
    const chain = [
      ['a1.1', 'a2.1'],
      ['a3.1', 'a4.1'],
      ['a2.1', 'a3.1'],
    ];
    const read = await proofsRead([...chain, ['a5.1'], ['a6.1'], ['a7.1']]);
    expect(read).toHaveLength(2);
    expect(read.flat().sort()).toEqual(['a1.1', 'a2.1', 'a3.1', 'a4.1', 'a5.1', 'a6.1', 'a7.1']);
    expect(read.find((ids) => ids.includes('a1.1'))).toEqual(expect.arrayContaining(['a2.1', 'a3.1', 'a4.1']));
  });

  it.each([
    [
      'that all have a sentence in common',
      [['a1.1', 'a2.1'], ['a1.1'], ['a1.1', 'a3.1'], ['a1.1', 'a4.1']],
      ['a1.1', 'a2.1', 'a3.1', 'a4.1'],
    ],
    ['of which a part would have too few others beside it', [['a1.1'], ['a2.1'], ['a3.1']], ['a1.1', 'a2.1', 'a3.1']],
  ])('%s are read together', async (_, proofs, together) => {
    expect(await proofsRead(proofs)).toEqual([together]);
  });
});
