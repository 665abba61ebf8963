import { setTimeout as sleep } from 'node:timers/promises';
import {
  AudioSource,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  type RemoteParticipant,
} from '@livekit/rtc-node';

/**
 * The program behind `RoomBots`: it joins LiveKit rooms as a bot and passes on what happens there. LiveKit's native library
 * stays out of the process of the tests, which it would keep from ending.
 */
export type BotCommand =
  | {
      readonly type: 'join';
      readonly bot: string;
      readonly url: string;
      readonly token: string;
      /** It publishes sound, although it makes none. */
      readonly isVoice: boolean;
    }
  | { readonly type: 'publish'; readonly bot: string; readonly payload: string }
  | { readonly type: 'text'; readonly bot: string; readonly topic: string; readonly pieces: readonly string[] }
  | { readonly type: 'leave'; readonly bot: string }
  /** It leaves when all that it was asked to say has been sent, and a moment has passed for the last of it to arrive. */
  | { readonly type: 'hangUp'; readonly bot: string; readonly afterMs: number };

export type BotEvent =
  | { readonly type: 'joined' | 'gone'; readonly bot: string }
  | { readonly type: 'failed'; readonly bot: string; readonly reason: string }
  | { readonly type: 'came' | 'left'; readonly bot: string; readonly identity: string }
  | { readonly type: 'data' | 'text'; readonly bot: string; readonly payload: string };

const rooms = new Map<string, Room>();

const tell = (event: BotEvent): void => void process.send?.(event, undefined, undefined, () => undefined);

async function join({ bot, url, token, isVoice }: BotCommand & { type: 'join' }): Promise<void> {
  const room = new Room();
  rooms.set(bot, room);
  room.registerTextStreamHandler('lk.chat', (reader) => {
    void reader.readAll().then((payload) => tell({ type: 'text', bot, payload }));
  });
  const came = ({ identity }: RemoteParticipant): void => tell({ type: 'came', bot, identity });
  room.on(RoomEvent.ParticipantConnected, came);
  room.on(RoomEvent.ParticipantDisconnected, ({ identity }) => tell({ type: 'left', bot, identity }));
  room.on(RoomEvent.DataReceived, (data) => tell({ type: 'data', bot, payload: Buffer.from(data).toString('utf8') }));
  room.on(RoomEvent.Disconnected, () => tell({ type: 'gone', bot }));
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  if (isVoice) {
    const track = LocalAudioTrack.createAudioTrack('voice', new AudioSource(48_000, 1));
    await room.localParticipant?.publishTrack(track, new TrackPublishOptions());
  }
  tell({ type: 'joined', bot });
  for (const participant of room.remoteParticipants.values()) came(participant);
}

async function carryOut(command: BotCommand): Promise<void> {
  if (command.type === 'join') return join(command);
  const room = rooms.get(command.bot);
  if (room === undefined) return;
  if (command.type === 'hangUp') {
    await sleep(command.afterMs);
    return carryOut({ type: 'leave', bot: command.bot });
  }
  if (command.type === 'leave') {
    rooms.delete(command.bot);
    tell({ type: 'gone', bot: command.bot });
    return room.disconnect();
  }
  const { localParticipant } = room;
  if (command.type === 'publish') {
    await localParticipant?.publishData(Buffer.from(command.payload), { reliable: true });
    return;
  }
  const writer = await localParticipant?.streamText({ topic: command.topic });
  for (const piece of command.pieces) await writer?.write(piece);
  await writer?.close();
}

// What one bot is asked for happens in order.
const queues = new Map<string, Promise<void>>();
process.on('message', (command: BotCommand) => {
  // Who is told to leave does not wait for a join that may never end.
  if (command.type === 'leave') return void carryOut(command).catch(() => undefined);
  const before = queues.get(command.bot) ?? Promise.resolve();
  const done = before
    .then(() => carryOut(command))
    .catch(async (error: unknown) => {
      // A room that is deleted while its bot speaks refuses what it says before it tells that it is over.
      if (command.type !== 'join') await sleep(1_000);
      const isOver = command.type !== 'join' && rooms.get(command.bot)?.isConnected !== true;
      if (!isOver) tell({ type: 'failed', bot: command.bot, reason: String(error) });
    });
  queues.set(command.bot, done);
});
process.on('disconnect', () => process.exit(0));
