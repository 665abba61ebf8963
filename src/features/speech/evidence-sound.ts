import { Injectable } from '@nestjs/common';
import { RECORDING_RATE } from '../../../contract/recordings';
import { RecordingsStore, type KeptPiece } from './recordings.store';
import { SpokenConversationsStore } from './spoken-conversations.store';
import { readSpoken, TimedReply } from '../../engine/measures';

/** Words of an agent that a mark rests on. */
export interface SaidWords {
  readonly turn: number;
  readonly quote: string;
}

/** When they were said, and the piece of the recording that holds their beginning. */
export interface SoundOfWords {
  readonly from_ms: number;
  readonly to_ms: number;
  /** Null where the piece is not kept. */
  readonly recording_sha256: string | null;
}

/** Conversations read at a time. */
const READ_AT_ONCE = 10;
/** Quotes are looked for up to here. */
const MOST_CHARACTERS = 100_000;

/** Finds when words were said that marks rest on, and where they can be heard. */
@Injectable()
export class EvidenceSound {
  constructor(
    private readonly conversations: SpokenConversationsStore,
    private readonly recordings: RecordingsStore,
  ) {}

  /** Answers a function that tells of words of these conversations; null where that is not known. */
  async of(
    scenarioRunIds: Iterable<string>,
  ): Promise<(scenarioRunId: string, words: SaidWords) => SoundOfWords | null> {
    const ids = [...new Set(scenarioRunIds)];
    const replies = new Map<string, TimedReply>();
    const pieces = new Map<string, KeptPiece[]>();
    for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
      const page = ids.slice(at, at + READ_AT_ONCE);
      const [stored, kept] = await Promise.all([
        this.conversations.read(page, { turn: MOST_CHARACTERS, card: 0 }),
        this.recordings.agentPieces(page),
      ]);
      for (const { id, turns } of stored) {
        for (const { turn, replied, spoken } of turns) {
          const sentences = readSpoken(spoken)?.agent_sentences ?? [];
          if (sentences.length > 0) replies.set(`${id} ${turn}`, new TimedReply(replied, sentences));
        }
      }
      for (const piece of kept)
        pieces.set(piece.scenario_run_id, [...(pieces.get(piece.scenario_run_id) ?? []), piece]);
    }
    return (scenarioRunId, { turn, quote }) => {
      const times = replies.get(`${scenarioRunId} ${turn}`)?.timesOf(quote);
      if (!times) return null;
      const sample = (times.from_ms * RECORDING_RATE) / 1_000;
      const piece = pieces
        .get(scenarioRunId)
        ?.find(({ first_sample: first, samples }) => first <= sample && sample < first + samples);
      return { from_ms: times.from_ms, to_ms: times.to_ms, recording_sha256: piece?.sha256 ?? null };
    };
  }
}
