import { TrackKind, type RemoteTrack, type Room } from '@livekit/rtc-node';
import { EchoWatch } from './echo-watch';
import { HeardTrack, HeardVoice } from './heard-track';
import { Interjection, type PlannedInterjection } from './interjection';
import { countsOf, qualityBetween } from './line-quality';
import { HEARD_RATE, type SessionEvent } from './room-wire';
import { SpokenTrack } from './spoken-track';
import type { HeardPiece } from './track-mixer';

/** The name of our track in the room. */
const TRACK_NAME = 'patient';
/** Sound is reported in pieces of a second: few events, and little is lost with the process. */
const PIECE_SAMPLES = HEARD_RATE;
/** Agents have one track, some a second for background sound: others are not listened to. */
const MOST_TRACKS = 4;

/** What is to be said once, so long after the agent began to answer. */
export interface HeldInterjection extends PlannedInterjection {
  readonly utterance: number;
  readonly samples: Int16Array;
}

interface HeardParticipant {
  readonly voice: HeardVoice<RemoteTrack>;
  readonly pieces: Pieces;
}

/** Our voice in a room that is held, and the voices of the others. */
export class HeldCall {
  private readonly tracks = new Map<RemoteTrack, { readonly track: HeardTrack; readonly sender: string }>();
  private readonly participants = new Map<string, HeardParticipant>();
  private interjection: Interjection | null = null;
  private echoes = new EchoWatch();
  /** What had been counted of the sound when the turn began. */
  private before: ReturnType<typeof countsOf> = Promise.resolve(null);

  private constructor(
    private readonly room: Room,
    private readonly spoken: SpokenTrack,
    private readonly report: (event: SessionEvent) => void,
  ) {}

  static async begin(room: Room, report: (event: SessionEvent) => void): Promise<HeldCall> {
    const { localParticipant } = room;
    if (localParticipant === undefined) throw new Error('The room was not joined.');
    const call = new HeldCall(room, await SpokenTrack.publish(localParticipant, TRACK_NAME), report);
    for (const participant of room.remoteParticipants.values()) {
      for (const { track } of participant.trackPublications.values()) call.listen(track, participant.identity);
    }
    return call;
  }

  /** A track of another participant can be heard. */
  listen(track: RemoteTrack | undefined, sender: string): void {
    if (track?.kind !== TrackKind.KIND_AUDIO || this.tracks.has(track) || this.tracks.size >= MOST_TRACKS) return;
    const { voice } = this.participant(sender);
    this.tracks.set(track, { track: new HeardTrack(track, (piece) => voice.hear(track, piece)), sender });
    this.report({ type: 'voiced', sender });
  }

  /** Whether a transcription is about what we said, as agents name it by our track. */
  isOurs(trackSid: string | undefined): boolean {
    return trackSid !== undefined && trackSid === this.spoken.sid;
  }

  /** A participant has left: hands on what was heard of it to the end. */
  async left(identity: string): Promise<void> {
    const theirs = [...this.tracks].flatMap(([track, { sender }]) => (sender === identity ? [track] : []));
    await Promise.all(theirs.map((track) => this.unlisten(track)));
  }

  async unlisten(track: RemoteTrack): Promise<void> {
    const known = this.tracks.get(track);
    if (known === undefined) return;
    this.tracks.delete(track);
    await known.track.close();
    const { voice, pieces } = this.participant(known.sender);
    voice.trackEnded(track);
    pieces.flush();
  }

  /** Begins a turn. @param planned said into the answer, at most once; null: nothing */
  say(utterance: number, samples: Int16Array, planned: HeldInterjection | null): void {
    this.interjection?.drop();
    const interjection = planned === null ? null : this.interjectionOf(planned);
    this.interjection = interjection;
    this.echoes = new EchoWatch();
    this.before = countsOf(this.room);
    this.utter(utterance, samples, (to) => interjection?.turnSaid(to));
  }

  /** The turn is over, unless it goes on: hands on all of its sound, and reports what the way here did to it, and what of it was our own. */
  async turnOver(): Promise<void> {
    this.interjection?.hold();
    const [before, after] = await Promise.all([this.before, countsOf(this.room)]);
    const quality = before === null || after === null ? null : qualityBetween(before, after);
    for (const { pieces } of this.participants.values()) pieces.flush();
    this.report({ type: 'turnSound', quality, echoes: this.echoes.echoes() });
  }

  /** What was heard was no answer. */
  turnGoesOn(): void {
    this.interjection?.goOn();
  }

  hush(): void {
    this.interjection?.drop();
    this.spoken.hush();
  }

  async end(): Promise<void> {
    this.interjection?.drop();
    await Promise.all([...this.tracks.keys()].map((track) => this.unlisten(track)));
    await this.spoken.close();
  }

  private interjectionOf(planned: HeldInterjection): Interjection {
    const { utterance, samples } = planned;
    const silentMs = (speaker: string): number | null => this.participants.get(speaker)?.voice.silentMs ?? null;
    return new Interjection(planned, silentMs, () => {
      this.report({ type: 'interjecting', utterance });
      this.utter(utterance, samples, () => undefined);
    });
  }

  private utter(utterance: number, samples: Int16Array, said: (to: number) => void): void {
    void this.spoken.say(samples).then(
      (uttered) => {
        this.echoes.uttered(uttered.from, samples);
        this.report({ type: 'said', utterance, ...uttered });
        said(uttered.to);
      },
      // The room has ended, which is told otherwise.
      () => undefined,
    );
  }

  private participant(sender: string): HeardParticipant {
    const known = this.participants.get(sender);
    if (known !== undefined) return known;
    const pieces = new Pieces((piece) => this.report({ type: 'sound', sender, ...piece }));
    const voice = new HeardVoice<RemoteTrack>({
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
