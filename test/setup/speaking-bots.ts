import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { botToken } from '../../src/agents/livekit/room-token';
import type { SpokenBotScript } from '../fakes/spoken-bot-program';
import type { LiveKitServer } from './livekit-server';

/** A bot with a voice that says nothing. */
export const MUTE_BOT: Omit<SpokenBotScript, 'name' | 'url' | 'token'> = {
  hasVoice: true,
  greeting: null,
  greetingWrittenAfterMs: null,
  replies: [],
  isNoisy: false,
  isStereo: false,
  speaksRtvi: false,
  firstHeardReady: 1,
};

/** Bots that speak in rooms, each in a process of its own. */
export class SpeakingBots {
  private readonly bots: ChildProcess[] = [];

  constructor(private readonly livekit: () => LiveKitServer) {}

  /** Lets one into a room. @throws Error where it cannot join */
  async join(room: string, script: Partial<SpokenBotScript>): Promise<void> {
    const bot = fork(join(__dirname, '..', 'fakes', 'spoken-bot-program.ts'), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.bots.push(bot);
    const livekit = this.livekit();
    const token = await botToken(livekit, room, 'clinic-agent');
    const name = `bot-of-${room}`;
    const joined = new Promise<void>((resolve, reject) => {
      bot.on('message', (event) => (event === `joined ${name}` ? resolve() : reject(new Error(JSON.stringify(event)))));
    });
    bot.send({ ...MUTE_BOT, name, url: livekit.url, token, ...script });
    await joined;
  }

  /** Ends them as a crash would. */
  kill(): void {
    for (const bot of this.bots.splice(0)) bot.kill('SIGKILL');
  }
}
