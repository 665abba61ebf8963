import { TrackKind, type RemoteTrack, type Room } from '@livekit/rtc-node';
import { base64Of } from './call-floor';
import { HeardTrack, type HeardPiece } from './heard-track';
import { HEARD_RATE, type SessionEvent } from './room-wire';
import { SpokenTrack } from './spoken-track';

/** The name of our track in the room. */
const TRACK_NAME = 'patient';
/** Sound is reported in pieces of a second: few events, and little is lost with the process. */
const PIECE_SAMPLES = HEARD_RATE;
/** Agents have one track, some a second for background sound: others are not listened to. */
const MOST_TRACKS = 4;

/** Our voice in a room that is held, and the voices of the others. */
export class HeldCall {
  private readonly heard = new Map<RemoteTrack, { readonly track: HeardTrack; readonly pieces: Pieces }>();

  private constructor(
    private readonly spoken: SpokenTrack,
    private readonly report: (event: SessionEvent) => void,
  ) {}

  static async begin(room: Room, report: (event: SessionEvent) => void): Promise<HeldCall> {
    const { localParticipant } = room;
    if (localParticipant === undefined) throw new Error('The room was not joined.');
    const call = new HeldCall(await SpokenTrack.publish(localParticipant, TRACK_NAME), report);
    for (const participant of room.remoteParticipants.values()) {
      for (const { track } of participant.trackPublications.values()) call.listen(track, participant.identity);
    }
    return call;
  }

  /** A track of another participant can be heard. */
  listen(track: RemoteTrack | undefined, sender: string): void {
    if (track?.kind !== TrackKind.KIND_AUDIO || this.heard.has(track) || this.heard.size >= MOST_TRACKS) return;
    const pieces = new Pieces((piece) =>
      this.report({
        type: 'sound',
        sender,
        firstSample: piece.firstSample,
        at: piece.at,
        samples: base64Of(piece.samples),
      }),
    );
    const heard = new HeardTrack(track, {
      voice: (isSpeaking, at) => this.report({ type: 'voice', sender, isSpeaking, at }),
      sound: (piece) => pieces.add(piece),
    });
    this.heard.set(track, { track: heard, pieces });
    this.report({ type: 'voiced', sender });
  }

  /** Whether a transcription is about what we said, as agents name it by our track. */
  isOurs(trackSid: string | undefined): boolean {
    return trackSid !== undefined && trackSid === this.spoken.sid;
  }

  async unlisten(track: RemoteTrack): Promise<void> {
    const known = this.heard.get(track);
    this.heard.delete(track);
    await known?.track.close();
    known?.pieces.flush();
  }

  say(utterance: number, samples: Int16Array): void {
    void this.spoken.say(samples).then(
      (uttered) => this.report({ type: 'said', utterance, ...uttered }),
      // The room has ended, which is told otherwise.
      () => undefined,
    );
  }

  hush(): void {
    this.spoken.hush();
  }

  async end(): Promise<void> {
    await Promise.all([...this.heard.keys()].map((track) => this.unlisten(track)));
    await this.spoken.close();
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
