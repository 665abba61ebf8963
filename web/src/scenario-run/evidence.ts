import { indexOfWords } from '../../../src/domain';
import type { CriterionResult, TranscriptEntry } from '../api/scenario-runs';
import type { Range } from '../parts/untrusted-text';

/** The places of the judge's quotes. */
export interface EvidenceRanges {
  /** By position in the transcript; `of` is the position of the criterion. */
  readonly byEntry: ReadonlyMap<number, readonly Range[]>;
  /** Tool calls that criteria rest on: those of a turn, by their place in it from 1. */
  readonly byCall: ReadonlyMap<number, ReadonlyMap<number, readonly number[]>>;
  /** Criteria with at least one quote or call that was found. */
  readonly found: ReadonlySet<number>;
}

/** Quotes are stored exactly as in the transcript; the agent's message of a turn is searched before the patient's. */
export function evidenceRanges(
  transcript: readonly TranscriptEntry[],
  criteria: readonly CriterionResult[],
): EvidenceRanges {
  const byEntry = new Map<number, Range[]>();
  const byCall = new Map<number, Map<number, number[]>>();
  const found = new Set<number>();
  criteria.forEach(({ evidence }, of) => {
    for (const { turn, quote, call } of evidence) {
      if (call !== undefined) {
        const ofTurn = byCall.get(turn) ?? new Map<number, number[]>();
        byCall.set(turn, ofTurn.set(call, [...(ofTurn.get(call) ?? []), of]));
        if (transcript.some((entry) => entry.turn === turn && entry.role === 'agent')) found.add(of);
        continue;
      }
      const place = placeOf(transcript, turn, quote);
      if (place === null) continue;
      found.add(of);
      const ranges = byEntry.get(place.entry) ?? [];
      ranges.push({ start: place.start, end: place.start + quote.length, of });
      byEntry.set(place.entry, ranges);
    }
  });
  return { byEntry, byCall, found };
}

function placeOf(transcript: readonly TranscriptEntry[], turn: number, quote: string) {
  for (const role of ['agent', 'patient']) {
    const entry = transcript.findIndex((message) => message.turn === turn && message.role === role);
    const start = indexOfWords(transcript[entry]?.content ?? '', quote);
    if (start >= 0) return { entry, start };
  }
  return null;
}
