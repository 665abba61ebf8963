import { TrackKind, type RemoteTrack, type Room } from '@livekit/rtc-node';
import type { PressedKey } from '../provider';
import { CallSound, type Said } from '../voice/call-sound';
import type { Uttered } from '../voice/call-floor';
import { HeardTrack } from './heard-track';
import { HeardTracks } from './heard-tracks';
import { qualityBetween } from '../voice/line-quality';
import type { SessionEvent } from './room-wire';
import { SpokenTrack } from './spoken-track';
import { countsOf } from './stream-counts';
import type { HeardPiece } from '../voice/track-mixer';

/** The name of our track in the room. */
const TRACK_NAME = 'patient';
/** Agents have one track, some a second for background sound: others are not listened to. */
const MOST_TRACKS = 4;

/** Each key at its number. Source: RFC 4733, table 3. */
const EVENTS = '0123456789*#ABCD';

/** Our voice in a room that is held, and the voices of the others. */
export class HeldCall {
  private readonly tracks: HeardTracks<RemoteTrack>;
  private readonly sound: CallSound<RemoteTrack>;
  /** What had been counted of the sound when the turn began. */
  private before: ReturnType<typeof countsOf> = Promise.resolve(null);

  private constructor(
    private readonly room: Room,
    private readonly spoken: SpokenTrack,
    private readonly report: (event: SessionEvent) => void,
  ) {
    this.sound = new CallSound((samples, keys) => this.speak(samples, keys), report);
    this.tracks = new HeardTracks((sender, track) => this.sound.trackEnded(sender, track));
  }

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
    const hear = (piece: HeardPiece): void => this.sound.hear(sender, track, piece);
    this.tracks.add(track, sender, new HeardTrack(track, hear));
    this.report({ type: 'voiced', sender });
  }

  /** Whether a transcription is about what we said, as agents name it by our track. */
  isOurs(trackSid: string | undefined): boolean {
    return trackSid !== undefined && trackSid === this.spoken.sid;
  }

  /** A participant has left: hands on what was heard of it to the end. */
  left(identity: string): Promise<void> {
    return this.tracks.endThoseOf(identity);
  }

  unlisten(track: RemoteTrack): Promise<void> {
    return this.tracks.end(track);
  }

  /** Begins a turn. */
  say(said: Said): void {
    this.before = countsOf(this.room);
    this.sound.say(said);
  }

  /** The turn is over, unless it goes on: hands on all of its sound, and reports what the way here did to it, and what of it was our own. */
  async turnOver(): Promise<void> {
    this.sound.holdInterjection();
    const [before, after] = await Promise.all([this.before, countsOf(this.room)]);
    this.sound.turnOver(before === null || after === null ? null : qualityBetween(before, after));
  }

  /** What was heard was no answer. */
  turnGoesOn(): void {
    this.sound.turnGoesOn();
  }

  /** Tells the room of each key once its tone has gone out. */
  private async speak(samples: Int16Array, keys: readonly PressedKey[]): Promise<Uttered> {
    let told = Promise.resolve();
    let next = 0;
    const uttered = await this.spoken.say(samples, (untilMs) => {
      for (let due = keys[next]; due !== undefined && due.afterMs <= untilMs; due = keys[next]) {
        const { key } = due;
        told = told.then(() => this.room.localParticipant?.publishDtmf(EVENTS.indexOf(key), key));
        told.catch(() => undefined);
        next += 1;
      }
    });
    await told;
    return uttered;
  }

  hush(): void {
    this.sound.dropInterjection();
    this.spoken.hush();
  }

  async end(): Promise<void> {
    this.sound.dropInterjection();
    await this.tracks.endAll();
    await this.spoken.close();
  }
}
