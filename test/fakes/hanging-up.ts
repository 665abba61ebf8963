import type { FakeAgent } from './fake-agent';
import type { Patient } from './pipecat-bots';
import type { BotBehaviour, RoomBot } from './room-bots';

type Bot = (bot: RoomBot, patient: Patient) => BotBehaviour;

/** What was sent takes a moment to arrive; a reply is known to be whole later than this. */
const LEAVE_AFTER_MS = 250;

/** Bots that say their last words at a message, or nothing, and leave their room by themselves. */
export class HangingUp {
  private next: { readonly words: string | null } | null = null;

  /** At the next message. */
  soon(words: string | null): void {
    this.next = { words };
  }

  /** A bot that usually is as another one. @param say how it says something */
  bot(usual: Bot, say: (bot: RoomBot, words: string) => void): Bot {
    return (bot, patient) => {
      const asUsual = usual(bot, patient);
      const leave = (): boolean => {
        if (this.next === null) return false;
        const { words } = this.next;
        this.next = null;
        if (words !== null) say(bot, words);
        bot.hangUp(LEAVE_AFTER_MS);
        return true;
      };
      return {
        ...asUsual,
        onText: (text) => void (leave() || asUsual.onText?.(text)),
        onData: (payload) => void ((payload.includes('send-text') && leave()) || asUsual.onData?.(payload)),
      };
    };
  }
}

/** Remembers which agent hangs up how. */
export class HangingUpAgents {
  private readonly ways = new WeakMap<FakeAgent, HangingUp>();

  async start(begin: (hangingUp: HangingUp) => Promise<FakeAgent>): Promise<FakeAgent> {
    const hangingUp = new HangingUp();
    const agent = await begin(hangingUp);
    this.ways.set(agent, hangingUp);
    return agent;
  }

  readonly hangUpNext = (agent: FakeAgent, words: string | null): void => this.ways.get(agent)?.soon(words);
}
