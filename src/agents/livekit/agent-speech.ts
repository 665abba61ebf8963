import { MAX_REPLY_BYTES } from '../reply-text';
import type { AgentPresence } from './agent-presence';
import type { RoomTimes } from './room-times';
import { type RoomEvent, CHAT_TOPIC } from './room-wire';

interface Stream {
  readonly topic: string;
  readonly sender: string;
  readonly segment: string | null;
  text: string;
  isOpen: boolean;
}

/** What was said in a room since some moment. */
interface Said {
  /** The segments in the order they began, one per line; empty when there are none. */
  readonly text: string;
  /** At least one segment with text has ended. */
  readonly hasEnded: boolean;
}

/** Assembles the text streams of a room into what a participant said. */
export class SpokenText {
  private readonly streams = new Map<string, Stream>();
  /** How many streams of each sender are open: checked at every event of a room, which may have very many streams. */
  private readonly open = new Map<string, number>();
  private characters = 0;

  began(id: string, topic: string, sender: string, segment: string | null): void {
    this.ended(id);
    this.streams.set(id, { topic, sender, segment, text: '', isOpen: true });
    this.open.set(sender, (this.open.get(sender) ?? 0) + 1);
  }

  /** @returns false for a stream that began before the last `forget` */
  add(id: string, text: string): boolean {
    const stream = this.streams.get(id);
    if (stream === undefined) return false;
    this.characters += text.length;
    // One more character than a reply may hold is enough to refuse it.
    if (this.characters <= MAX_REPLY_BYTES * 2) stream.text += text;
    return true;
  }

  ended(id: string): boolean {
    const stream = this.streams.get(id);
    if (stream === undefined) return false;
    if (stream.isOpen) this.open.set(stream.sender, (this.open.get(stream.sender) ?? 1) - 1);
    stream.isOpen = false;
    return true;
  }

  /** Segments that have begun by now belong to what was said before. */
  forget(): void {
    this.streams.clear();
    this.open.clear();
    this.characters = 0;
  }

  /** A segment is being spoken. */
  isOpen(isSpeaker: (identity: string) => boolean): boolean {
    for (const [sender, count] of this.open) if (count > 0 && isSpeaker(sender)) return true;
    return false;
  }

  /** Whether it may be more than a reply may hold: interim versions and repetitions count too. */
  get isLong(): boolean {
    return this.characters > MAX_REPLY_BYTES;
  }

  /** Assembles all that was said: too costly to call on every word. */
  said(isSpeaker: (identity: string) => boolean): Said {
    const heard = [...this.streams.values()].filter(({ sender }) => isSpeaker(sender));
    return {
      text: countedOnce(heard)
        .map(({ text }) => text.trim())
        .filter((text) => text !== '')
        .join('\n'),
      hasEnded: heard.some(({ isOpen, text }) => !isOpen && text.trim() !== ''),
    };
  }
}

/**
 * Removes duplicates: a segment sent again under the same id (interim versions, the last one counts), and chat
 * messages that repeat what the transcription says.
 */
function countedOnce(streams: readonly Stream[]): readonly Stream[] {
  const segments = new Map<string, Stream>();
  streams.forEach((stream, index) => {
    const key = stream.segment ?? `\0${index}`;
    const known = segments.get(key);
    if (known === undefined || stream.text !== '') segments.set(key, stream);
  });
  const all = [...segments.values()];
  if (all.every(({ topic }) => topic !== CHAT_TOPIC)) return all;
  const transcribed = new Set<string>();
  let whole = '';
  for (const { topic, text } of all) {
    if (topic === CHAT_TOPIC) continue;
    const words = condensed(text);
    transcribed.add(words);
    whole += words;
  }
  return all.filter(({ topic, text }) => topic !== CHAT_TOPIC || !repeats(condensed(text), transcribed, whole));
}

function repeats(chat: string, transcribed: ReadonlySet<string>, whole: string): boolean {
  return chat !== '' && (chat === whole || transcribed.has(chat));
}

/** Spaces differ between what is spoken and what is written. */
function condensed(text: string): string {
  return text.replace(/\s+/g, '');
}

/** What the agent says in text streams, and whether it is quiet. */
export class AgentSpeech {
  private readonly spoken = new SpokenText();
  private heardAt = performance.now();
  private readonly isAgent = (identity: string): boolean => this.presence.isAgent(identity);

  constructor(
    private readonly presence: AgentPresence,
    private readonly times: RoomTimes,
  ) {}

  /** When the agent last said or did something, in milliseconds of `performance.now()`. */
  get lastHeardAt(): number {
    return this.heardAt;
  }

  /** The agent did something: quiet counts from now on. */
  stirred(): void {
    this.heardAt = performance.now();
  }

  hear(event: RoomEvent & { type: 'streamBegan' | 'streamText' | 'streamEnded' }): void {
    switch (event.type) {
      case 'streamBegan':
        this.spoken.began(event.stream, event.topic, event.sender, event.segment);
        return this.stirred();
      case 'streamText':
        return this.spoken.add(event.stream, event.text) ? this.stirred() : undefined;
      case 'streamEnded':
        // A segment that broke off is not a complete reply, and never will be.
        return event.isWhole && this.spoken.ended(event.stream) ? this.stirred() : undefined;
    }
  }

  /** What it says from now on belongs to the next reply. */
  beginTurn(): void {
    this.spoken.forget();
  }

  /** What it has said since the last `beginTurn`. */
  said(): Said {
    return this.spoken.said(this.isAgent);
  }

  /** Whether what it has said may be too long for a reply. */
  get isLong(): boolean {
    return this.spoken.isLong;
  }

  /** It is present and listening, and has been silent long enough. */
  isQuiet(): boolean {
    const { isListening, isMissing } = this.presence;
    return this.quietIn() === 0 && isListening && !isMissing && !this.spoken.isOpen(this.isAgent);
  }

  /** Milliseconds until it has been quiet long enough, if nothing more comes. */
  quietIn(): number {
    const needed = this.presence.reportsState ? this.times.quiet : this.times.quietWithoutState;
    return Math.max(0, this.heardAt + needed - performance.now());
  }
}
