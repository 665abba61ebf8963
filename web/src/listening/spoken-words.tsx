import type { CallSpan, TimedEntry, TimedSentence } from '../api/recordings';
import type { TranscriptEntry } from '../api/scenario-runs';
import { Name, UntrustedText, type Range } from '../parts/untrusted-text';
import { PlayButton, usePlaying, useTimedEntry } from './heard-call';

/** Longer messages are shown bit by bit, and not by sentences. */
const MOST_CHARACTERS = 6_000;

interface Props {
  readonly text: string;
  readonly ranges: readonly Range[];
  readonly active: number | null;
  readonly entry: TimedEntry;
}

/** Whether a message is shown by its sentences. */
export function hasTimedSentences(entry: TimedEntry | null, text: string): entry is TimedEntry {
  return entry !== null && entry.content === text && entry.sentences.length > 0 && text.length <= MOST_CHARACTERS;
}

/** A message sentence by sentence: each plays itself, and is highlighted while it is heard. */
export function SpokenWords({ text, ranges, active, entry }: Props) {
  const pieces = piecesOf(text, entry.sentences);
  return (
    <div className="spoken-words" dir="auto">
      {pieces.map(({ start, end, sentence }, at) => {
        const words = (
          <UntrustedText text={text.slice(start, end)} ranges={within(ranges, start, end)} active={active} />
        );
        if (sentence === null) return <span key={start}>{words}</span>;
        return (
          <Sentence key={start} of={sentence}>
            {entry.sentences.length > 1 && (
              <PlayButton
                span={sentence}
                isSmall
                what={`sentence ${at + 1} of the ${entry.role} in turn ${entry.turn}`}
              />
            )}
            {words}
          </Sentence>
        );
      })}
    </div>
  );
}

function Sentence({
  of: { from_ms, to_ms },
  children,
}: {
  readonly of: TimedSentence;
  readonly children: React.ReactNode;
}) {
  const isHeard = usePlaying(({ state, at }) => state === 'playing' && at !== null && at >= from_ms && at < to_ms);
  return <span className={isHeard === true ? 'timed heard-now' : 'timed'}>{children}</span>;
}

interface Piece {
  readonly start: number;
  readonly end: number;
  /** Null for what stands between sentences, or was not spoken. */
  readonly sentence: TimedSentence | null;
}

function piecesOf(text: string, sentences: readonly TimedSentence[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const sentence of sentences) {
    const start = text.indexOf(sentence.text, from);
    if (start === -1) continue;
    if (start > from) pieces.push({ start: from, end: start, sentence: null });
    from = start + sentence.text.length;
    pieces.push({ start, end: from, sentence });
  }
  if (from < text.length) pieces.push({ start: from, end: text.length, sentence: null });
  return pieces;
}

function within(ranges: readonly Range[], start: number, end: number): readonly Range[] {
  return ranges
    .filter((range) => range.start < end && range.end > start)
    .map(({ of, ...range }) => ({
      of,
      start: Math.max(0, range.start - start),
      end: Math.min(end, range.end) - start,
    }));
}

/** When it was said; null where that is not known. */
export function spanOf({ spoken }: TranscriptEntry): CallSpan | null {
  const { from_ms, to_ms } = spoken ?? {};
  return typeof from_ms === 'number' && typeof to_ms === 'number' ? { from_ms, to_ms } : null;
}

/** What was said and heard in sound, as far as the words above do not say it. */
export function HeardNotes({ entry: { turn, role, content, spoken } }: { readonly entry: TranscriptEntry }) {
  const timed = useTimedEntry(turn, role);
  if (spoken === undefined) return null;
  const { own, heard_by_agent: understood, interjection, timing_reliable: isReliable, inaudible } = spoken;
  return (
    <div className="heard quiet small">
      {inaudible === true && <p>No voice was heard for these words: they prove nothing.</p>}
      {isDoubted(spoken.heard_doubtful) && <p>What the examiner’s ear heard here is doubted, and proves nothing.</p>}
      {typeof own === 'string' && own !== content && (
        <p className="own">
          In text the agent wrote: <Account own={own} pieces={timed?.account ?? null} />
        </p>
      )}
      {typeof understood === 'string' && understood !== content && (
        <p>
          The agent heard: <Name>{understood}</Name>
        </p>
      )}
      {interjection && (
        <p>
          {interjection.kind === 'interruption' ? 'Interrupted the answer' : 'Said into the answer'}:{' '}
          <Name>{interjection.words ?? ''}</Name>{' '}
          <PlayButton span={interjection} what="what was said into the answer" />
        </p>
      )}
      {!isReliable && <p>The sound was disturbed on our side: its times say nothing of the agent.</p>}
    </div>
  );
}

function isDoubted(doubtful: boolean | string | null | undefined): boolean {
  return typeof doubtful === 'string' || doubtful === true;
}

/** The agent's own account: what its sound lacks is struck through, and what was heard instead stands beside it. */
function Account({ own, pieces }: { readonly own: string; readonly pieces: TimedEntry['account'] }) {
  if (pieces === null) return <Name>{own}</Name>;
  return pieces.map((piece, at) => {
    if (piece.same) return <Name key={at}>{piece.own}</Name>;
    return (
      <span key={at}>
        {piece.own !== '' && (
          <del>
            <span className="only-read">not heard: </span>
            <Name>{piece.own.trimEnd()}</Name>
          </del>
        )}
        {piece.own !== '' && ' '}
        {piece.sound !== '' && (
          <>
            <ins>
              <span className="only-read">heard: </span>
              <Name>{piece.sound.trimEnd()}</Name>
            </ins>{' '}
          </>
        )}
      </span>
    );
  });
}
