import {
  DisconnectReason,
  ParticipantKind,
  Room,
  RoomEvent as Rtc,
  type ByteStreamReader,
  type RemoteParticipant,
  type TextStreamReader,
} from '@livekit/rtc-node';
import type { Said } from '../voice/call-sound';
import { HeldCall } from './held-call';
import {
  CHAT_TOPIC,
  MAX_BYTE_STREAM,
  MAX_STREAM_CHARACTERS,
  SESSION_TOPIC,
  TRANSCRIPTION_TOPIC,
  type Participant,
  type SessionEvent,
} from './room-wire';

/** ParticipantState of the protocol: 0 joining, 1 joined, 2 active, 3 disconnected. */
const ACTIVE = 2;

/** The attribute of a transcription that names the track whose words it holds. */
const TRANSCRIBED_TRACK = 'lk.transcribed_track_id';

/** One participation in a room, held in the process that has the native library. It reports; it decides nothing. */
export class HeldRoom {
  private readonly room = new Room();
  private streams = 0;
  private joining: Promise<void> = Promise.resolve();
  private held: HeldCall | null = null;

  constructor(private readonly report: (event: SessionEvent) => void) {}

  /** Every handler is registered before connecting: streams without a handler are dropped. */
  join(url: string, token: string): Promise<void> {
    this.joining = this.connect(url, token);
    return this.joining;
  }

  private async connect(url: string, token: string): Promise<void> {
    this.listen();
    try {
      await this.room.connect(url, token, { autoSubscribe: true, dynacast: false });
    } catch (error) {
      this.report({ type: 'joinFailed', reason: reasonOf(error) });
      return;
    }
    this.report({
      type: 'joined',
      room: this.room.name ?? '',
      identity: this.room.localParticipant?.identity ?? '',
      others: [...this.room.remoteParticipants.keys()],
    });
    for (const participant of this.room.remoteParticipants.values()) this.reportParticipant(participant);
  }

  async sendText(topic: string, text: string): Promise<void> {
    await this.local().sendText(text, { topic });
  }

  async publishData(payload: Uint8Array, isReliable: boolean, topic: string | null): Promise<void> {
    await this.local().publishData(payload, { reliable: isReliable, ...(topic === null ? {} : { topic }) });
  }

  async sendBytes(topic: string, payload: Uint8Array, to: string): Promise<void> {
    const writer = await this.local().streamBytes({ topic, destinationIdentities: [to], totalSize: payload.length });
    await writer.write(payload);
    await writer.close();
  }

  /** Takes up a voice, and listens to those of the others. */
  async call(): Promise<void> {
    this.held ??= await HeldCall.begin(this.room, this.report);
  }

  /** Begins a turn; the end of what is said is reported. */
  say(said: Said): void {
    this.inCall().say(said);
  }

  /** Reports what the way here did to the sound of the turn. */
  turnOver(): Promise<void> {
    return this.inCall().turnOver();
  }

  turnGoesOn(): void {
    this.inCall().turnGoesOn();
  }

  hush(): void {
    this.held?.hush();
  }

  /** Connecting cannot be aborted: a participant that is joining must have joined before it can leave, or it would stay. */
  async leave(): Promise<void> {
    await this.joining;
    await this.held?.end();
    await this.room.disconnect();
    this.room.removeAllListeners();
  }

  private inCall(): HeldCall {
    if (this.held === null) throw new Error('There is no call.');
    return this.held;
  }

  private local() {
    const { localParticipant } = this.room;
    if (localParticipant === undefined) throw new Error('The room was not joined.');
    return localParticipant;
  }

  private listen(): void {
    const { room } = this;
    for (const topic of [TRANSCRIPTION_TOPIC, CHAT_TOPIC]) {
      room.registerTextStreamHandler(topic, (reader, { identity }) => void this.hearText(topic, identity, reader));
    }
    room.registerByteStreamHandler(SESSION_TOPIC, (reader, { identity }) => void this.hearBytes(identity, reader));
    const reportParticipant = (participant: RemoteParticipant | undefined): void => this.reportParticipant(participant);
    room.on(Rtc.ParticipantConnected, reportParticipant);
    room.on(Rtc.ParticipantDisconnected, ({ identity, info }) => {
      void this.participantLeft(identity, nameOf(info.disconnectReason));
    });
    room.on(Rtc.ParticipantAttributesChanged, (_changed, { identity }) =>
      reportParticipant(room.remoteParticipants.get(identity)),
    );
    room.on(Rtc.TrackPublished, (_publication, participant) => reportParticipant(participant));
    room.on(Rtc.TrackSubscribed, (track, _publication, { identity }) => this.held?.listen(track, identity));
    room.on(Rtc.TrackUnsubscribed, (track) => void this.held?.unlisten(track));
    room.on(Rtc.RoomUpdated, () => {
      for (const participant of room.remoteParticipants.values()) reportParticipant(participant);
    });
    room.on(Rtc.DataReceived, (payload, participant, _kind, topic) =>
      this.report({
        type: 'data',
        sender: participant?.identity ?? '',
        topic: topic ?? null,
        payload: Buffer.from(payload).toString('base64'),
      }),
    );
    room.on(Rtc.Reconnecting, () => this.report({ type: 'reconnecting' }));
    room.on(Rtc.Reconnected, () => this.report({ type: 'reconnected' }));
    room.on(Rtc.Disconnected, (reason) => {
      this.report({ type: 'disconnected', reason: nameOf(reason) });
    });
  }

  /** Its last words are heard before it is gone. */
  private async participantLeft(identity: string, reason: string): Promise<void> {
    await this.held?.left(identity);
    this.report({ type: 'participantLeft', identity, reason });
  }

  private reportParticipant(participant: RemoteParticipant | undefined): void {
    // Updates may still arrive for a participant that has left.
    if (participant === undefined || this.room.remoteParticipants.get(participant.identity) !== participant) return;
    this.report({ type: 'participant', participant: described(participant) });
  }

  private async hearText(topic: string, sender: string, reader: TextStreamReader): Promise<void> {
    this.streams += 1;
    const stream = String(this.streams);
    const { attributes } = reader.info;
    // What an agent understood of us comes in its own name.
    const isOurs = this.held?.isOurs(attributes?.[TRANSCRIBED_TRACK]) === true;
    this.report({
      type: 'streamBegan',
      stream,
      topic,
      sender: isOurs ? (this.room.localParticipant?.identity ?? '') : sender,
      segment: attributes?.['lk.segment_id'] ?? null,
    });
    let characters = 0;
    let isWhole = true;
    try {
      for await (const text of reader) {
        characters += text.length;
        this.report({ type: 'streamText', stream, text });
        if (characters < MAX_STREAM_CHARACTERS) continue;
        isWhole = false;
        break;
      }
    } catch {
      // The sender left or the connection broke: what has arrived so far counts.
      isWhole = false;
    }
    this.report({ type: 'streamEnded', stream, isWhole });
  }

  private async hearBytes(sender: string, reader: ByteStreamReader): Promise<void> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of reader) {
        size += chunk.length;
        if (size > MAX_BYTE_STREAM) return;
        chunks.push(chunk);
      }
    } catch {
      return;
    }
    this.report({ type: 'bytes', topic: SESSION_TOPIC, sender, payload: Buffer.concat(chunks).toString('base64') });
  }
}

function described(participant: RemoteParticipant): Participant {
  const { identity, kind, attributes, info, trackPublications } = participant;
  return {
    identity,
    kind: kind === ParticipantKind.AGENT ? 'agent' : kind === ParticipantKind.STANDARD ? 'standard' : 'other',
    isActive: Number(info.state) === ACTIVE,
    attributes: { ...attributes },
    publications: trackPublications.size,
  };
}

function nameOf(reason: DisconnectReason | undefined): string {
  return DisconnectReason[reason ?? DisconnectReason.UNKNOWN_REASON] ?? 'UNKNOWN_REASON';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
