import { HeldRoom } from './held-room';
import { RoomCommand, type RoomEvent } from './room-wire';

/**
 * The program that holds LiveKit rooms for the service: the native library, and whatever it does to its process, stays in here.
 * It ends with the service, whose pipe it listens on.
 */
const rooms = new Map<string, HeldRoom>();

function report(event: RoomEvent): void {
  // The pipe may be closing; then no one is left to receive it.
  if (process.connected) process.send?.(event, undefined, undefined, () => undefined);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function carryOut(command: RoomCommand): Promise<void> {
  const { session } = command;
  if (command.type === 'join') {
    const room = new HeldRoom((event) => report({ ...event, session }));
    rooms.set(session, room);
    await room.join(command.url, command.token);
    return;
  }
  const room = rooms.get(session);
  if (command.type === 'leave') {
    rooms.delete(session);
    await room?.leave().catch(() => undefined);
    report({ type: 'left', session });
    return;
  }
  if (command.type === 'hush') return room?.hush();
  const { call } = command;
  try {
    if (room === undefined) throw new Error('There is no such session.');
    if (command.type === 'text') await room.sendText(command.topic, command.text);
    else if (command.type === 'data') {
      await room.publishData(Buffer.from(command.payload, 'base64'), command.isReliable, command.topic);
    } else if (command.type === 'bytes') {
      await room.sendBytes(command.topic, Buffer.from(command.payload, 'base64'), command.to);
    } else if (command.type === 'call') await room.call();
    else if (command.type === 'say') room.say(command);
    else if (command.type === 'turnOver') await room.turnOver();
    else room.turnGoesOn();
    report({ type: 'called', session, call, error: null });
  } catch (error) {
    report({ type: 'called', session, call, error: reasonOf(error) });
  }
}

process.on('message', (message) => {
  const command = RoomCommand.safeParse(message);
  if (command.success) void carryOut(command.data);
});
// The library's own threads would keep the process alive forever.
process.on('disconnect', () => process.exit(0));
// A terminal's Ctrl-C reaches the whole group; the service decides when this process ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
