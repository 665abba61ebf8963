import type { PressedKey } from '../provider';
import type { CallEvent, Uttered } from './call-floor';
import { EchoWatch } from './echo-watch';
import { HeardVoice } from './heard-voice';
import { Interjection, type PlannedInterjection } from './interjection';
import type { LineQuality } from './line-quality';
import { HEARD_RATE } from './sound-clocks';
import type { HeardPiece } from './track-mixer';

/** Sound is reported in pieces of a second: few events, and little is lost with the process. */
const PIECE_SAMPLES = HEARD_RATE;

/** What is to be said once, so long after the agent began to answer. */
export interface HeldInterjection extends PlannedInterjection {
  readonly utterance: number;
  readonly samples: Int16Array;
}

/** A turn of ours. */
export interface Said {
  readonly utterance: number;
  readonly samples: Int16Array;
  readonly keys: readonly PressedKey[];
  /** What is said into the answer, at most once; null: nothing. */
  readonly interjection: HeldInterjection | null;
}

interface HeardParticipant<Track> {
  readonly voice: HeardVoice<Track>;
  readonly pieces: Pieces;
}

/** The sound of a call where it is carried: what we say, what is said into the answers, and what is heard of the others. It reports; it decides nothing. */
export class CallSound<Track> {
  private readonly participants = new Map<string, HeardParticipant<Track>>();
  private interjection: Interjection | null = null;
  private echoes = new EchoWatch();

  /** @param speak tells the agent of each key at its time, and resolves when the samples have gone out; rejects when the call has ended, which is told otherwise */
  constructor(
    private readonly speak: (samples: Int16Array, keys: readonly PressedKey[]) => Promise<Uttered>,
    private readonly report: (event: CallEvent) => void,
  ) {}

  /** A piece of a track, in order. */
  hear(sender: string, track: Track, piece: HeardPiece): void {
    this.participant(sender).voice.hear(track, piece);
  }

  trackEnded(sender: string, track: Track): void {
    const { voice, pieces } = this.participant(sender);
    voice.trackEnded(track);
    pieces.flush();
  }

  /** Begins a turn. */
  say({ utterance, samples, keys, interjection: planned }: Said): void {
    this.interjection?.drop();
    const interjection = planned === null ? null : this.interjectionOf(planned);
    this.interjection = interjection;
    this.echoes = new EchoWatch();
    this.utter({ utterance, samples, keys }, (to) => interjection?.turnSaid(to));
  }

  /** The turn is over: hands on all of its sound, and reports what the way here did to it, and what of it was our own. */
  turnOver(quality: LineQuality | null): void {
    for (const { pieces } of this.participants.values()) pieces.flush();
    this.report({ type: 'turnSound', quality, echoes: this.echoes.echoes() });
  }

  /** The turn seems to be over: nothing is said into the answer, unless it goes on. */
  holdInterjection(): void {
    this.interjection?.hold();
  }

  /** What was heard was no answer. */
  turnGoesOn(): void {
    this.interjection?.goOn();
  }

  /** Nothing more is said into the answer. */
  dropInterjection(): void {
    this.interjection?.drop();
  }

  private interjectionOf(planned: HeldInterjection): Interjection {
    const { utterance, samples } = planned;
    const silentMs = (speaker: string): number | null => this.participants.get(speaker)?.voice.silentMs ?? null;
    return new Interjection(planned, silentMs, () => {
      this.report({ type: 'interjecting', utterance });
      this.utter({ utterance, samples, keys: [] }, () => undefined);
    });
  }

  private utter({ utterance, samples, keys }: Omit<Said, 'interjection'>, said: (to: number) => void): void {
    void this.speak(samples, keys).then(
      (uttered) => {
        this.echoes.uttered(uttered.from, samples);
        this.report({ type: 'said', utterance, ...uttered });
        said(uttered.to);
      },
      // The call has ended, which is told otherwise.
      () => undefined,
    );
  }

  private participant(sender: string): HeardParticipant<Track> {
    const known = this.participants.get(sender);
    if (known !== undefined) return known;
    const pieces = new Pieces((piece) => this.report({ type: 'sound', sender, ...piece }));
    const voice = new HeardVoice<Track>({
      voice: (isSpeaking, at) => {
        this.report({ type: 'voice', sender, isSpeaking, at });
        this.interjection?.voice(sender, isSpeaking, at);
        this.echoes.voice(sender, isSpeaking, at);
      },
      sound: (piece) => {
        pieces.add(piece);
        this.echoes.heard(sender, piece);
      },
    });
    const participant = { voice, pieces };
    this.participants.set(sender, participant);
    return participant;
  }
}

/** Joins pieces of sound to longer ones. */
class Pieces {
  private held: HeardPiece[] = [];
  private size = 0;

  constructor(private readonly hand: (piece: HeardPiece) => void) {}

  add(piece: HeardPiece): void {
    this.held.push(piece);
    this.size += piece.samples.length;
    if (this.size >= PIECE_SAMPLES) this.flush();
  }

  flush(): void {
    const [first] = this.held;
    if (first === undefined) return;
    const samples = new Int16Array(this.size);
    for (const piece of this.held) samples.set(piece.samples, piece.firstSample - first.firstSample);
    [this.held, this.size] = [[], 0];
    this.hand({ firstSample: first.firstSample, at: first.at, samples });
  }
}
