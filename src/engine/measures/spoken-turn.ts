import { keptSpokenTurn, type KeptSpokenTurn, type SpokenEntry } from '../../../contract/spoken-turns';
import { Needle } from '../../domain';
import { sentenceSpans } from '../../examiners/rules';

/** What of a turn's metadata is about its sound; null where there is nothing, or nothing that this release understands. */
export function spokenIn(metadata: Readonly<Record<string, unknown>>): KeptSpokenTurn | null {
  return metadata['spoken'] === undefined ? null : readSpoken(metadata['spoken']);
}

export function readSpoken(kept: unknown): KeptSpokenTurn | null {
  return keptSpokenTurn.safeParse(kept).data ?? null;
}

/** The sound of an entry of the transcript. */
export function spokenEntryOf(role: 'patient' | 'agent', kept: KeptSpokenTurn): SpokenEntry {
  const { timing_reliable } = kept;
  if (role === 'patient') {
    const sentences = kept.sentences.map(({ words: _words, ...sentence }) => ({ ...sentence, certain: true }));
    const { from_ms, to_ms, heard_by_agent, pauses, disturbances, interjection } = kept;
    return { from_ms, to_ms, sentences, timing_reliable, heard_by_agent, pauses, disturbances, interjection };
  }
  const { own, heard, heard_doubtful, inaudible, latency_ms } = kept;
  return {
    from_ms: kept.agent[0]?.from_ms ?? null,
    to_ms: kept.agent.at(-1)?.to_ms ?? null,
    sentences: kept.agent_sentences,
    timing_reliable,
    segments: kept.agent,
    own,
    heard,
    heard_doubtful,
    inaudible,
    latency_ms,
  };
}

interface Times {
  readonly from_ms: number;
  readonly to_ms: number;
  /** False where they were spread over the agent's voice by the length of sentences. */
  readonly certain: boolean;
}

/** A reply whose sentences have times, as quotes are looked up in it. */
export class TimedReply {
  private spans: ReturnType<typeof sentenceSpans> | null = null;

  constructor(
    private readonly text: string,
    private readonly sentences: KeptSpokenTurn['agent_sentences'],
  ) {}

  /** When a quote was said: the sentences that it is of, whole. Null where it is not in the reply, or those have no times. */
  timesOf(quote: string): Times | null {
    if (quote === '' || this.sentences.length === 0) return null;
    const at = new Needle(quote).indexIn(this.text);
    if (at < 0) return null;
    this.spans ??= sentenceSpans(this.text);
    // `s1` is the first sentence of the reply, as the judge numbers them.
    const said = this.spans.flatMap(({ start, end }, place) => {
      const isQuoted = start < at + quote.length && end > at;
      const sentence = isQuoted ? this.sentences.find(({ id }) => id === `s${place + 1}`) : undefined;
      return sentence === undefined ? [] : [sentence];
    });
    const [first, last] = [said[0], said.at(-1)];
    if (first === undefined || last === undefined) return null;
    return { from_ms: first.from_ms, to_ms: last.to_ms, certain: said.every(({ certain }) => certain) };
  }
}
