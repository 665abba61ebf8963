import {
  DisconnectReason,
  ParticipantKind,
  Room,
  RoomEvent as Rtc,
  type ByteStreamReader,
  type RemoteParticipant,
  type TextStreamReader,
} from '@livekit/rtc-node';
import {
  CHAT_TOPIC,
  MAX_BYTE_STREAM,
  MAX_STREAM_CHARACTERS,
  SESSION_TOPIC,
  TRANSCRIPTION_TOPIC,
  type Participant,
  type RoomEvent,
} from './room-wire';

/** ParticipantState of the protocol: 0 joining, 1 joined, 2 active, 3 disconnected. */
const ACTIVE = 2;

/** An event as it leaves a session, which adds its name. */
export type Told = RoomEvent extends infer Event ? (Event extends RoomEvent ? Omit<Event, 'session'> : never) : never;

/** One participation in a room, held in the process that has the native library. It reports; it decides nothing. */
export class HeldRoom {
  private readonly room = new Room();
  private streams = 0;
  private joining: Promise<void> = Promise.resolve();

  constructor(private readonly tell: (event: Told) => void) {}

  /** Every handler is there before the connection is: streams that nobody handles are dropped. */
  join(url: string, token: string): Promise<void> {
    this.joining = this.connect(url, token);
    return this.joining;
  }

  private async connect(url: string, token: string): Promise<void> {
    this.listen();
    try {
      await this.room.connect(url, token, { autoSubscribe: true, dynacast: false });
    } catch (error) {
      this.tell({ type: 'joinFailed', reason: reasonOf(error) });
      return;
    }
    this.tell({
      type: 'joined',
      room: this.room.name ?? '',
      identity: this.room.localParticipant?.identity ?? '',
      others: [...this.room.remoteParticipants.keys()],
    });
    for (const participant of this.room.remoteParticipants.values()) this.tellOf(participant);
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

  /** Connecting cannot be broken off: what is on its way in has to arrive before it can go, or it would stay. */
  async leave(): Promise<void> {
    await this.joining;
    await this.room.disconnect();
    this.room.removeAllListeners();
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
    const tellOf = (participant: RemoteParticipant | undefined): void => this.tellOf(participant);
    room.on(Rtc.ParticipantConnected, tellOf);
    room.on(Rtc.ParticipantDisconnected, ({ identity, info }) =>
      this.tell({ type: 'participantLeft', identity, reason: nameOf(info.disconnectReason) }),
    );
    room.on(Rtc.ParticipantAttributesChanged, (_changed, { identity }) =>
      tellOf(room.remoteParticipants.get(identity)),
    );
    room.on(Rtc.TrackPublished, (_publication, participant) => tellOf(participant));
    room.on(Rtc.RoomUpdated, () => {
      for (const participant of room.remoteParticipants.values()) tellOf(participant);
    });
    room.on(Rtc.DataReceived, (payload, participant, _kind, topic) =>
      this.tell({
        type: 'data',
        sender: participant?.identity ?? '',
        topic: topic ?? null,
        payload: Buffer.from(payload).toString('base64'),
      }),
    );
    room.on(Rtc.Reconnecting, () => this.tell({ type: 'reconnecting' }));
    room.on(Rtc.Reconnected, () => this.tell({ type: 'reconnected' }));
    room.on(Rtc.Disconnected, (reason) => {
      this.tell({ type: 'disconnected', reason: nameOf(reason) });
    });
  }

  private tellOf(participant: RemoteParticipant | undefined): void {
    // Updates of one who has left still come.
    if (participant === undefined || this.room.remoteParticipants.get(participant.identity) !== participant) return;
    this.tell({ type: 'participant', participant: described(participant) });
  }

  private async hearText(topic: string, sender: string, reader: TextStreamReader): Promise<void> {
    this.streams += 1;
    const stream = String(this.streams);
    this.tell({
      type: 'streamBegan',
      stream,
      topic,
      sender,
      segment: reader.info.attributes?.['lk.segment_id'] ?? null,
    });
    let characters = 0;
    let isWhole = true;
    try {
      for await (const text of reader) {
        characters += text.length;
        this.tell({ type: 'streamText', stream, text });
        if (characters < MAX_STREAM_CHARACTERS) continue;
        isWhole = false;
        break;
      }
    } catch {
      // The sender left or the connection broke: what came so far counts as it is.
      isWhole = false;
    }
    this.tell({ type: 'streamEnded', stream, isWhole });
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
    this.tell({ type: 'bytes', topic: SESSION_TOPIC, sender, payload: Buffer.concat(chunks).toString('base64') });
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
