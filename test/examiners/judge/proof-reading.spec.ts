import { examine } from '../../../src/examiners/judge/examine';
import { openTextThreads } from '../../setup/text-threads';
import { criterion, exchangesOf, scenarioWith } from '../../setup/transcripts';
import { ScriptedJudge, type Answered, type Script } from './scripted-judge';

const threads = openTextThreads();
const { signal } = new AbortController();

describe('Each proof', () => {
  const ONSET = 'Asks when it started';
  const SPREAD = 'Asks whether it spreads to the arm';
  const REST = 'Tells the patient to sit down';
  const CALL = 'Tells the patient to call an ambulance';
  const CRITERIA = [criterion(ONSET, 4), criterion(SPREAD, 4), criterion(REST, 1), criterion(CALL, 1)];
  const TRANSCRIPT = exchangesOf([
    ['It hurts. It is in my chest.', 'Oh dear. When did it start? Take heart.'],
    ['An hour ago.', 'I see. And to your arm, does it spread there? All right.'],
  ]);
  const FIRST: Readonly<Record<string, Answered>> = {
    [ONSET]: { decision: 'MET', evidence: ['a1.2'] },
    [SPREAD]: { decision: 'MET', evidence: ['a2.2'] },
    [REST]: { decision: 'NOT MET' },
    [CALL]: { decision: 'NOT MET' },
  };

  async function examined(script: Script, criteria = CRITERIA, assureOwnership = () => Promise.resolve(), seed = 7) {
    const judge = new ScriptedJudge(
      criteria.map((one) => one.criterion),
      script,
    );
    const station = { scenario: scenarioWith(''), criteria, transcript: TRANSCRIPT, passThreshold: 50 };
    const outcome = examine({ ...station, judge, threads, seed, assureOwnership }, signal);
    return { outcome, judge };
  }

  /** The decisions on one criterion, in the order in which proofs are read; the first reading and other criteria are as above. */
  const reading =
    (text: string, ...read: readonly Answered[]): Script =>
    ({ criterion: asked }, { extent }, call) => {
      const index = call - 2;
      return extent === 'proofs' && asked === text ? read[index] : FIRST[asked];
    };

  it('is shown with what the patient said before it, and nothing else that the agent said', async () => {
    const { outcome, judge } = await examined(reading(ONSET, { decision: 'MET', evidence: ['a1.2'] }));
    const { verdict, record } = await outcome;
    expect(judge.sheets.map(({ extent }) => extent)).toEqual(['whole', 'proofs']);
    const [, proofs] = judge.sheets;
    expect(proofs?.sentences.map(({ id }) => id)).toEqual(['p1.2', 'a1.2', 'p2.1', 'a2.2']);
    const by = new Map(proofs?.questions.map((question) => [question.criterion, question.by]));
    expect([by.get(ONSET), by.get(SPREAD)]).toEqual([['a1.2'], ['a2.2']]);
    // Nothing tells control questions and foils from what is asked.
    expect([...by.values()].filter((ids) => ids?.length !== 1)).toEqual([]);
    expect(JSON.stringify(proofs)).not.toMatch(/Chest pain|points|Because of/);
    expect(verdict.criteria.map(({ votes, disputed }) => [votes, disputed])).toEqual([
      [['MET', 'MET'], false],
      [['MET', 'MET'], false],
      [undefined, false],
      [undefined, false],
    ]);
    expect(record).toMatchObject({ calls: 2, votes: 1 });
  });

  it.each<[string, readonly Answered[], readonly string[], string]>([
    ['is denied twice', [{ decision: 'NOT MET' }, { decision: 'NOT MET' }], ['MET', 'NOT MET', 'NOT MET'], 'NOT MET'],
    [
      'is denied, and then confirmed',
      [{ decision: 'NOT MET' }, { decision: 'MET', evidence: ['a2.2'] }],
      ['MET', 'NOT MET', 'MET'],
      'MET',
    ],
    [
      'is found each time in another degree: the lowest stands',
      [{ decision: 'PARTIALLY MET', evidence: ['a2.2'] }, { decision: 'NOT MET' }],
      ['MET', 'PARTIALLY MET', 'NOT MET'],
      'NOT MET',
    ],
    [
      'is confirmed by the proof of another criterion only',
      [{ decision: 'MET', evidence: ['a1.2'] }, { decision: 'NOT MET' }],
      ['MET', 'NOT MET', 'NOT MET'],
      'NOT MET',
    ],
  ])('%s', async (_, read, votes, decision) => {
    const { outcome, judge } = await examined(reading(SPREAD, ...read));
    const { verdict } = await outcome;
    expect(verdict.criteria[1]).toMatchObject({ decision, votes, disputed: true, absence: false });
    expect(verdict.criteria[0]).toMatchObject({ decision: 'MET', votes: ['MET', 'MET'] });
    expect(verdict.passed).toBe(decision === 'MET');
    expect(judge.sheets[2]?.sentences.map(({ id }) => id)).toEqual(['p2.1', 'a2.2']);
  });

  it('is confirmed by its own sentence, whatever else is named', async () => {
    const { outcome } = await examined(reading(SPREAD, { decision: 'MET', evidence: ['a1.2', 'a2.2'] }));
    const { verdict } = await outcome;
    expect(verdict.criteria[1]).toMatchObject({ decision: 'MET', votes: ['MET', 'MET'], disputed: false });
  });

  it('is read where it earns no points too', async () => {
    const worthless = CRITERIA.map((one) => (one.criterion === SPREAD ? { ...one, points: 0 } : one));
    const { outcome } = await examined(({ criterion: asked }) => FIRST[asked], worthless);
    expect((await outcome).verdict.criteria[1]).toMatchObject({ decision: 'MET', votes: ['MET', 'MET'] });
  });

  it('that was voted on by itself, for it says nothing of its criterion, is not read again', async () => {
    const unlikely: Script = ({ criterion: asked }, { extent }) => {
      if (asked !== ONSET) return FIRST[asked];
      return extent === 'proofs' ? { decision: 'NOT MET' } : { decision: 'MET', evidence: ['a1.3'] };
    };
    const { verdict } = await (await examined(unlikely)).outcome;
    expect(verdict.criteria[0]).toMatchObject({ decision: 'MET', votes: ['MET', 'MET'], disputed: false });
  });

  it('is read after one look at whether the attempt is still ours, and none without a reading', async () => {
    let looks = 0;
    const { outcome, judge } = await examined(
      ({ criterion: asked }) => FIRST[asked],
      CRITERIA,
      async () => {
        looks += 1;
      },
    );
    await outcome;
    expect([judge.sheets.length, looks]).toEqual([2, 1]);
  });

  it('is denied in the words of the reading that denies it', async () => {
    const { outcome } = await examined(reading(SPREAD, { decision: 'NOT MET' }, { decision: 'NOT MET' }));
    const { verdict } = await outcome;
    expect(verdict.criteria[1]?.rationale).toBe(`Because of ${SPREAD}.`);
  });

  it('stands beside control questions, each with the sentence that it is made from', async () => {
    const asked: (readonly [source: string | undefined, by: readonly string[] | undefined])[] = [];
    for (let seed = 0; seed < 5; seed += 1) {
      const { outcome, judge } = await examined(({ criterion: text }) => FIRST[text], CRITERIA, undefined, seed);
      await outcome;
      for (const { criterion: text, by } of judge.sheets[1]?.questions ?? []) {
        if (/when did it start/i.test(text)) asked.push(['a1.2', by]);
        if (/does it spread there/i.test(text)) asked.push(['a2.2', by]);
      }
    }
    expect(new Set(asked.map(([source]) => source))).toEqual(new Set(['a1.2', 'a2.2']));
    for (const [source, by] of asked) expect(by).toEqual([source]);
  });

  it('never raises a decision', async () => {
    const half: Answered = { decision: 'PARTIALLY MET', evidence: ['a2.2'] };
    const script: Script = ({ criterion: asked }, { extent }) =>
      asked === SPREAD && extent === 'whole' ? half : FIRST[asked];
    const { verdict } = await (await examined(script)).outcome;
    expect(verdict.criteria[1]).toMatchObject({ decision: 'PARTIALLY MET', votes: ['PARTIALLY MET', 'MET'] });
  });

  it('is read apart from the others once something spoke against the first examination', async () => {
    const { outcome, judge } = await examined((question, _sheet, call) =>
      call === 1 ? { decision: 'MET', evidence: ['a1.2'] } : FIRST[question.criterion],
    );
    await outcome;
    expect(judge.sheets.slice(2).map(({ sentences }) => sentences.map(({ id }) => id))).toEqual(
      expect.arrayContaining([
        ['p1.2', 'a1.2'],
        ['p2.1', 'a2.2'],
      ]),
    );
  });

  it('is read apart from the others where votes differed', async () => {
    const decisive = [{ ...criterion(ONSET, 4), tags: ['must_pass'] }, ...CRITERIA.slice(1)];
    const { outcome, judge } = await examined(
      ({ criterion: asked }, _sheet, call) => (asked === ONSET && call === 2 ? { decision: 'NOT MET' } : FIRST[asked]),
      decisive,
    );
    expect((await outcome).verdict.criteria[0]?.votes).toEqual(['MET', 'NOT MET', 'MET']);
    const proofs = judge.sheets.filter(({ extent }) => extent === 'proofs');
    expect(proofs.map(({ sentences }) => sentences.map(({ id }) => id)).sort()).toEqual([
      ['p1.2', 'a1.2'],
      ['p2.1', 'a2.2'],
    ]);
  });

  it('of a decisive criterion is read without its neighbours, which those who vote see', async () => {
    const decisive = [{ ...criterion(ONSET, 4), tags: ['must_pass'] }, ...CRITERIA.slice(1)];
    const talkedRoundByNeighbours: Script = ({ criterion: asked }, { sentences }) =>
      asked === ONSET && !sentences.some(({ id }) => id === 'a1.3') ? { decision: 'NOT MET' } : FIRST[asked];
    const { verdict } = await (await examined(talkedRoundByNeighbours, decisive)).outcome;
    expect(verdict.criteria[0]).toMatchObject({ decision: 'NOT MET', votes: ['MET', 'MET', 'NOT MET', 'NOT MET'] });
    expect(verdict.passed).toBe(false);
    const { verdict: honest } = await (await examined(({ criterion: asked }) => FIRST[asked], decisive)).outcome;
    expect(honest.criteria[0]).toMatchObject({ decision: 'MET', votes: ['MET', 'MET'], disputed: false });
  });

  it('that is found to show what it was never named for is not believed: the judge follows something else', async () => {
    const everything: Script = ({ criterion: asked, by }, { extent }) =>
      extent === 'proofs' && FIRST[asked] !== undefined ? { decision: 'MET', evidence: by ?? [] } : FIRST[asked];
    await expect((await examined(everything)).outcome).rejects.toMatchObject({
      kind: 'controls_wrong',
      record: { calls: 3, controls: { asked: 10, wrong: 4 } },
    });
  });

  it('is not read where the conversation fails anyway, nor once the attempt is lost', async () => {
    const failingScript: Script = ({ criterion: asked }) => (asked === ONSET ? { decision: 'NOT MET' } : FIRST[asked]);
    const failed = await examined(failingScript);
    expect((await failed.outcome).record.calls).toBe(1);
    expect(failed.judge.sheets).toHaveLength(1);

    const lost = new RangeError('The lease was lost.');
    const { outcome, judge } = await examined(
      ({ criterion: asked }) => FIRST[asked],
      CRITERIA,
      () => Promise.reject(lost),
    );
    await expect(outcome).rejects.toBe(lost);
    expect(judge.sheets).toHaveLength(1);
  });

  it('by a quote is none for what was left out: all that the agent said is read for it', async () => {
    const avoids = criterion('Avoids giving a diagnosis', 4);
    const { outcome, judge } = await examined(
      ({ criterion: asked }) => (asked === avoids.criterion ? { decision: 'MET', evidence: ['a1.1'] } : FIRST[asked]),
      [avoids, ...CRITERIA],
    );
    expect((await outcome).verdict.criteria[0]?.votes).toEqual(['MET', 'MET']);
    const narrow = judge.sheets.find(({ extent }) => extent === 'narrow');
    expect(narrow?.sentences.map(({ id }) => id)).toEqual(['a1.1', 'a1.2', 'a1.3', 'a2.1', 'a2.2', 'a2.3']);
  });
});
