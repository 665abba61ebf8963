import { setTimeout as sleep } from 'node:timers/promises';
import { Room, RoomEvent, TrackKind, type LocalParticipant } from '@livekit/rtc-node';
import { HeardTrack } from '../../src/agents/livekit/heard-track';
import { SPOKEN_RATE } from '../../src/agents/livekit/room-wire';
import { SpokenTrack } from '../../src/agents/livekit/spoken-track';
import { constructedVoice } from '../../src/agents/livekit/timing/constructed-voice';

/** What a speaking bot does with each thing the patient says, in order. */
export interface SpokenBotScript {
  readonly url: string;
  readonly token: string;
  /** False: it comes without a voice. */
  readonly hasVoice: boolean;
  /** What it says when somebody comes; null: it waits. */
  readonly greeting: string | null;
  readonly replies: readonly SpokenBotReply[];
}

export interface SpokenBotReply {
  /** What it says in `lk.transcription`; null: nothing. */
  readonly text: string | null;
  /** Of its sound; 0: none. */
  readonly soundMs: number;
  readonly delayMs: number;
  /** What it writes that it understood, in the name of the patient's track; null: nothing. */
  readonly understood: string | null;
  /** A message that is only shown. */
  readonly shown: string | null;
  readonly leaves: boolean;
}

const tell = (event: string): void => void process.send?.(event, undefined, undefined, () => undefined);

async function write(participant: LocalParticipant, text: string, attributes: Record<string, string>): Promise<void> {
  const topic = attributes['topic'] ?? 'lk.transcription';
  const writer = await participant.streamText({ topic, attributes });
  for (const word of text.split(/(?<= )/)) await writer.write(word);
  await writer.close();
}

async function begin({ url, token, hasVoice, greeting, replies }: SpokenBotScript): Promise<void> {
  const room = new Room();
  const voice: { track: SpokenTrack | null } = { track: null };
  let patientTrack = '';
  let turn = 0;
  const participant = (): LocalParticipant => {
    if (room.localParticipant === undefined) throw new Error('The bot is in no room.');
    return room.localParticipant;
  };
  const answer = async (): Promise<void> => {
    const reply = replies[turn];
    turn += 1;
    if (reply === undefined) return;
    if (reply.understood !== null) {
      const words = { 'lk.transcribed_track_id': patientTrack, 'lk.segment_id': `patient-${turn}` };
      await write(participant(), reply.understood.slice(0, 5), words);
      await write(participant(), reply.understood, words);
    }
    await sleep(reply.delayMs);
    const sound = reply.soundMs === 0 ? null : voice.track?.say(constructedVoice(reply.soundMs, SPOKEN_RATE));
    if (reply.shown !== null) await write(participant(), reply.shown, { topic: 'lk.chat' });
    if (reply.text !== null) await write(participant(), reply.text, { 'lk.segment_id': `agent-${turn}` });
    await sound;
    if (reply.leaves) await room.disconnect();
  };
  room.on(RoomEvent.TrackSubscribed, (track) => {
    if (track.kind !== TrackKind.KIND_AUDIO) return;
    patientTrack = track.sid ?? '';
    new HeardTrack(track, {
      voice: (isSpeaking) => void (isSpeaking ? undefined : answer()),
      sound: () => undefined,
    });
  });
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  if (hasVoice) voice.track = await SpokenTrack.publish(participant(), 'agent');
  tell('joined');
  if (greeting === null) return;
  await write(participant(), greeting, { 'lk.segment_id': 'greeting' });
  await voice.track?.say(constructedVoice(900, SPOKEN_RATE));
}

process.on('message', (script: SpokenBotScript) => {
  begin(script).catch((error: unknown) => tell(`failed: ${String(error)}`));
});
process.on('disconnect', () => process.exit(0));
