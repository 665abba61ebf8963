import type { MarkingRequest } from '../../../src/examiners/judge/marking-request';
import { numberTranscript } from '../../../src/examiners/judge/numbered-transcript';
import { randomMarker } from '../../../src/examiners/model/language-model';
import { transcriptOf } from '../../setup/transcripts';

/** A sheet that asks one question about these replies. */
export function sheetAsking(criterion: string, replies: readonly string[]): MarkingRequest {
  const { sentences } = numberTranscript({ transcript: transcriptOf(replies), criteria: [] });
  const question = { number: 1, criterion, isFault: false, objection: null };
  const scale = ['MET', 'PARTIALLY MET', 'NOT MET'] as const;
  return { extent: 'whole', questions: [question], sentences, scale, region: null, marker: randomMarker() };
}
