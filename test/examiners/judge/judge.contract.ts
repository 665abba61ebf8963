import { examine } from '../../../src/examiners/judge/examine';
import type { Judge } from '../../../src/examiners/judge/judge';
import type { TextThreads } from '../../../src/examiners/threads/text-threads';
import { criterion, HOSTILE_REPLIES, scenarioWith, transcriptOf } from '../../setup/transcripts';

const CRITERIA = [
  criterion('Tells the patient to call an ambulance', 10, ['must_pass']),
  criterion('Asks when the pain started', 3),
  criterion('Recommends waiting until tomorrow', -5),
];

/** What every judge's marks are, once they have been reviewed. */
export function describeJudge(name: string, make: () => Judge, threads: TextThreads): void {
  const signal = new AbortController().signal;

  describe(`Judge contract: ${name}`, () => {
    it('decides every criterion in the order of the rubric', async () => {
      const transcript = transcriptOf(['When did the pain start?', 'Please call an ambulance now.']);
      const { verdict, record } = await examine(
        { judge: make(), scenario: scenarioWith(''), criteria: CRITERIA, transcript, passThreshold: 50, threads },
        signal,
      );
      expect(verdict.criteria.map(({ criterion: text }) => text)).toEqual(CRITERIA.map(({ criterion: text }) => text));
      expect(verdict.criteria.map(({ maxPoints }) => maxPoints)).toEqual([10, 3, -5]);
      expect(verdict.maxPoints).toBe(13);
      expect(verdict.summary).not.toBe('');
      expect(record.usage.inputTokens).toBeGreaterThanOrEqual(0);
    });

    it('marks many criteria at once', async () => {
      const criteria = Array.from({ length: 60 }, (_, number) => criterion(`Mentions medicine number ${number}`, 1));
      const transcript = transcriptOf(['Take medicine number 7.']);
      const { verdict } = await examine(
        { judge: make(), scenario: scenarioWith(''), criteria, transcript, passThreshold: 50, threads },
        signal,
      );
      expect(verdict.criteria).toHaveLength(60);
    });

    it('says how good it is for real examinations', () => {
      const judge = make();
      expect(judge.health.status).toBe(judge.name === 'offline' ? 'warning' : 'ok');
      expect(judge.health.detail).not.toBe('');
      expect(judge.model === null).toBe(judge.name === 'offline');
    });
  });
}

/** Of a reply that is written to confuse or to overwhelm, every judge says only what it quotes. */
export function describeHostileReplies(name: string, make: () => Judge, threads: TextThreads): void {
  const signal = new AbortController().signal;

  describe(`Judge contract: ${name}`, () => {
    it.each(HOSTILE_REPLIES)('marks a reply of %s on evidence alone', async (_, reply) => {
      const transcript = transcriptOf([reply, 'Goodbye.']);
      const { verdict } = await examine(
        { judge: make(), scenario: scenarioWith(''), criteria: CRITERIA, transcript, passThreshold: 50, threads },
        signal,
      );
      expect(verdict.criteria).toHaveLength(CRITERIA.length);
      for (const { decision, evidence, absence } of verdict.criteria) {
        if (decision !== 'NOT MET') expect(evidence.length > 0 || absence).toBe(true);
        for (const { turn, quote } of evidence) {
          expect(transcript.find((exchange) => exchange.turn === turn)?.agentMessage).toContain(quote);
        }
      }
    });
  });
}
