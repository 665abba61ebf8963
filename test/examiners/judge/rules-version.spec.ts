import { createHash } from 'node:crypto';
import { toTurns } from '../../../src/features/calibrations/transcript-turns';
import { loadStarterSet } from '../../../src/features/calibrations/starter-set';
import { markByWords } from '../../../src/examiners/judge/marking';
import { numberTranscript } from '../../../src/examiners/judge/numbered-transcript';
import { RULES_VERSION } from '../../../src/examiners/judge/offline.judge';

/** What these rules decide about the transcripts of the starter set, each criterion with a wish's sign and with a fault's. */
const DECIDES = { version: 'rules-4', digest: '57f6d63c03d0e401' };

async function digestOfDecisions(): Promise<string> {
  const decisions = (await loadStarterSet()).map(({ id, transcript, criteria }) => {
    const { sentences } = numberTranscript({
      transcript: toTurns(transcript),
      criteria: criteria.map(({ criterion }) => criterion),
    });
    const questions = criteria.flatMap(({ criterion }, index) =>
      [false, true].map((isFault, side) => ({ number: 2 * index + side + 1, criterion, isFault, objection: null })),
    );
    const scale = ['MET', 'PARTIALLY MET', 'NOT MET'] as const;
    const { marks } = markByWords({ extent: 'whole', questions, sentences, scale, region: 'US' });
    return [id, marks.map(({ decision }) => decision)];
  });
  return createHash('sha256').update(JSON.stringify(decisions)).digest('hex').slice(0, 16);
}

test('rules that decide otherwise have another version: raise RULES_VERSION, then record both here', async () => {
  expect({ version: RULES_VERSION, digest: await digestOfDecisions() }).toEqual(DECIDES);
});
