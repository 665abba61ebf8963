import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BotCommand, BotEvent } from './room-bot-program';

/** What a bot makes of what it meets in its room. */
export interface BotBehaviour {
  /**
   * It publishes sound, as voice bots do. A LiveKit server tells at once of those who publish; of others it tells every three
   * seconds, and nothing of one who came and left between.
   */
  readonly isVoice?: boolean;
  /** It is in the room. */
  onJoined?(): void;
  /** Somebody else is in the room. */
  onCame?(identity: string): void;
  /** A data packet, as text. */
  onData?(payload: string): void;
  /** A text stream on the chat topic. */
  onText?(text: string): void;
  /** A participant left. */
  onLeft?(identity: string): void;
}

/** A bot in a room of a real LiveKit server. */
export class RoomBot {
  isGone = false;

  constructor(
    private readonly id: string,
    private readonly command: (command: BotCommand) => void,
    private readonly onGone: () => void,
  ) {}

  publish(message: object | string): void {
    const payload = typeof message === 'string' ? message : JSON.stringify(message);
    this.command({ type: 'publish', bot: this.id, payload });
  }

  say(pieces: readonly string[], topic = 'lk.transcription'): void {
    this.command({ type: 'text', bot: this.id, topic, pieces });
  }

  leave(): void {
    if (this.isGone) return;
    this.command({ type: 'leave', bot: this.id });
  }

  /** Leaves once all that it was asked to say has been sent, and this much time has passed. */
  hangUp(afterMs: number): void {
    this.command({ type: 'hangUp', bot: this.id, afterMs });
  }

  gone(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.onGone();
  }
}

/** Bots in LiveKit rooms, all in one process of their own. */
export class RoomBots {
  private readonly bots = new Map<string, { readonly bot: RoomBot; readonly behaviour: BotBehaviour }>();
  private count = 0;
  private isClosing = false;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (event: BotEvent) => this.hear(event));
    child.once('exit', (code, signal) => {
      // The native library ends a process that stood still for five seconds while it joined a room.
      if (!this.isClosing) throw new Error(`The process of the bots ended by itself (${code ?? signal}).`);
    });
  }

  static start(): RoomBots {
    const loader = join(__dirname, '..', 'setup', 'register-typescript.cjs');
    return new RoomBots(
      fork(join(__dirname, 'room-bot-program.ts'), {
        execArgv: ['-r', loader],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
    );
  }

  /** Bots that are in rooms now. */
  get present(): number {
    return [...this.bots.values()].filter(({ bot }) => !bot.isGone).length;
  }

  /** Sends a bot into a room. */
  join(url: string, token: string, behaviour: (bot: RoomBot) => BotBehaviour): RoomBot {
    this.count += 1;
    const id = `bot-${this.count}`;
    const bot = new RoomBot(
      id,
      (command) => {
        if (this.child.connected) this.child.send(command);
      },
      () => this.bots.delete(id),
    );
    const made = behaviour(bot);
    this.bots.set(id, { bot, behaviour: made });
    this.child.send({ type: 'join', bot: id, url, token, isVoice: made.isVoice === true } satisfies BotCommand);
    return bot;
  }

  async close(): Promise<void> {
    this.isClosing = true;
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  private hear(event: BotEvent): void {
    const known = this.bots.get(event.bot);
    if (known === undefined) return;
    const { bot, behaviour } = known;
    switch (event.type) {
      case 'joined':
        return behaviour.onJoined?.();
      case 'data':
        return behaviour.onData?.(event.payload);
      case 'text':
        return behaviour.onText?.(event.payload);
      case 'left':
        return behaviour.onLeft?.(event.identity);
      case 'gone':
        return bot.gone();
      case 'failed':
        throw new Error(`A bot failed: ${event.reason}`);
      case 'came':
        return behaviour.onCame?.(event.identity);
    }
  }
}
