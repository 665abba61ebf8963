import fc from 'fast-check';
import { heldConversations, type HeldConversation } from '../../../bench/attacks/conversations';
import { stubModel } from '../../../bench/attacks/stub-judges';
import { examine, type ExaminationOutcome } from '../../../src/examiners/judge/examine';
import type { Judge } from '../../../src/examiners/judge/judge';
import { LanguageModelJudge } from '../../../src/examiners/judge/language-model.judge';
import { OfflineJudge } from '../../../src/examiners/judge/offline.judge';
import { someOf, tries } from '../../setup/sample';
import { openTextThreads } from '../../setup/text-threads';
import { twoWritings, WRITINGS, type Writing } from './written-otherwise';

const threads = openTextThreads();
/** `WRITING_SEED=… npx jest test/examiners/judge/judge.writing.spec.ts` tries others. */
const SEED = Number(process.env['WRITING_SEED'] ?? 1);
const RUNS = tries({ inCi: 300, elsewhere: 20 });
const signal = new AbortController().signal;

let held: HeldConversation[];
beforeAll(async () => {
  // Of the two agents the one that says something.
  held = (await heldConversations(threads)).filter(({ agent }) => agent === 'clinic');
});

function marked(judge: Judge, { scenario, criteria, transcript }: HeldConversation): Promise<ExaminationOutcome> {
  return examine({ judge, scenario, criteria, transcript, passThreshold: 50, threads, seed: 1 }, signal);
}

const decisionsOf = ({ verdict }: ExaminationOutcome) =>
  verdict.criteria.map(({ criterion, decision }) => `${decision}: ${criterion}`);

describe.each([
  ['a model that reads honestly', () => new LanguageModelJudge(stubModel('honest'))],
  ['no model', () => new OfflineJudge(threads)],
] as const)('However replies are written, a judge with %s', (_, make) => {
  /** How each conversation is marked as it was held: the same judge decides the same each time. */
  const plainly = new Map<HeldConversation, Promise<ExaminationOutcome>>();
  const markedPlainly = (conversation: HeldConversation): Promise<ExaminationOutcome> => {
    const outcome = plainly.get(conversation) ?? marked(make(), conversation);
    plainly.set(conversation, outcome);
    return outcome;
  };

  const isTheSame = async (conversation: HeldConversation, { name, write }: Writing): Promise<void> => {
    const transcript = conversation.transcript.map((turn) => ({ ...turn, agentMessage: write(turn.agentMessage) }));
    const [plain, other] = await Promise.all([
      markedPlainly(conversation),
      marked(make(), { ...conversation, transcript }),
    ]);
    expect([name, ...decisionsOf(other)]).toEqual([name, ...decisionsOf(plain)]);
    expect(other.record.addressedToExaminer).toEqual([]);
    for (const { turn, quote } of other.verdict.criteria.flatMap(({ evidence }) => evidence)) {
      expect(transcript[turn - 1]?.agentMessage).toContain(quote);
    }
  };

  it('decides the same on two dozen scenarios of the library, in each way', async () => {
    for (const [number, way] of WRITINGS.entries()) {
      for (const [at, conversation] of someOf([...held.entries()], 2, String(number))) {
        const [writing] = fc.sample(way, { numRuns: 1, seed: number * 100 + at });
        if (writing === undefined) throw new Error('No way of writing was drawn.');
        await isTheSame(conversation, writing);
      }
    }
  });

  it('decides the same for two ways combined', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), twoWritings, async (number, writing) => {
        const conversation = held[number % held.length];
        if (conversation === undefined) throw new Error('Nothing was held.');
        await isTheSame(conversation, writing);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  });
});
