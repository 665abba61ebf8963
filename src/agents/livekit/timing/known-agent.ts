import { Room, RoomEvent, TrackKind } from '@livekit/rtc-node';
import { z } from 'zod';
import { HEARD_RATE, machineMs, SPOKEN_RATE } from '../../voice/sound-clocks';
import { KnownAgent } from '../../voice/timing/known-agent';
import { runKnownAgents, type WorkingAgent } from '../../voice/timing/known-agent-program';
import { KnownTurns, type KnownAgentEvent } from '../../voice/timing/known-agent-wire';
import type { HeardPiece } from '../../voice/track-mixer';
import { HeardTrack } from '../heard-track';
import { SpokenTrack } from '../spoken-track';

/** The room that the agent goes to, and what it does there. */
const KnownRoomCommand = z.object({ url: z.string(), token: z.string(), turns: KnownTurns });
export type KnownRoomCommand = z.infer<typeof KnownRoomCommand>;

/** Sound that is as late as this may be missed by what plays it. */
const LATE_MS = 20;

type Report = (event: KnownAgentEvent) => void;

/** The program of agents whose delays are known, each in a LiveKit room. */
async function begin({ url, token, turns }: KnownRoomCommand, report: Report): Promise<WorkingAgent> {
  const room = new Room();
  let agent: KnownAgent | null = null;
  let [pieces, late] = [0, 0];
  const heard = new Map<string, HeardTrack>();
  room.on(RoomEvent.TrackSubscribed, (track) => {
    const { sid = '' } = track;
    if (track.kind !== TrackKind.KIND_AUDIO || heard.has(sid)) return;
    const hear = ({ samples, at }: HeardPiece): void => {
      pieces += 1;
      if (machineMs() - (at + (samples.length / HEARD_RATE) * 1_000) > LATE_MS) late += 1;
      agent?.hear(samples, at, HEARD_RATE);
    };
    heard.set(sid, new HeardTrack(track, hear));
  });
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  const { localParticipant } = room;
  if (localParticipant === undefined) throw new Error('The room was not joined.');
  const track = await SpokenTrack.publish(localParticipant, 'agent');
  const voice = { rate: SPOKEN_RATE, say: track.say.bind(track), hush: track.hush.bind(track) };
  agent = new KnownAgent(voice, turns, (event) => {
    if (event.type !== 'answered') return report(event);
    // Before the first answer other agents came into this process, and one that joins stops it.
    report(event.turn === 0 ? event : { ...event, heard: { pieces, late } });
    [pieces, late] = [0, 0];
  });
  report({ type: 'ready' });
  return {
    async end() {
      await Promise.all([track.close(), ...[...heard.values()].map((one) => one.close())]);
      await room.disconnect();
    },
  };
}

runKnownAgents(KnownRoomCommand, begin);
