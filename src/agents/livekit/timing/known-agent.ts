import { Room, RoomEvent, TrackKind } from '@livekit/rtc-node';
import { z } from 'zod';
import { HEARD_RATE, SPOKEN_RATE } from '../../voice/sound-clocks';
import { KnownAgent } from '../../voice/timing/known-agent';
import { report, runKnownAgent } from '../../voice/timing/known-agent-program';
import { KnownTurns } from '../../voice/timing/known-agent-wire';
import { HeardTrack } from '../heard-track';
import { SpokenTrack } from '../spoken-track';

/** The room that the agent goes to, and what it does there. */
const KnownRoomCommand = z.object({ url: z.string(), token: z.string(), turns: KnownTurns });
export type KnownRoomCommand = z.infer<typeof KnownRoomCommand>;

/** The program of an agent whose delays are known, in a LiveKit room. */
async function begin({ url, token, turns }: KnownRoomCommand): Promise<void> {
  const room = new Room();
  let agent: KnownAgent | null = null;
  const isHeard = new Set<string>();
  room.on(RoomEvent.TrackSubscribed, (track) => {
    const { sid = '' } = track;
    if (track.kind !== TrackKind.KIND_AUDIO || isHeard.has(sid)) return;
    isHeard.add(sid);
    new HeardTrack(track, ({ samples, at }) => agent?.hear(samples, at, HEARD_RATE));
  });
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  const { localParticipant } = room;
  if (localParticipant === undefined) throw new Error('The room was not joined.');
  const track = await SpokenTrack.publish(localParticipant, 'agent');
  const voice = { rate: SPOKEN_RATE, say: track.say.bind(track), hush: track.hush.bind(track) };
  agent = new KnownAgent(voice, turns, report);
  report({ type: 'ready' });
}

runKnownAgent(KnownRoomCommand, begin);
