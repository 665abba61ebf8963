import type { Duplex } from 'node:stream';
import { ProviderError } from '../errors';
import type { CallMessage } from '../voice/agent-call';
import { CallSound } from '../voice/call-sound';
import { HEARD_RATE, machineMs } from '../voice/sound-clocks';
import { LineHearing } from './line-sound';
import { LineStalls } from './line-stalls';
import { LineVoice } from './line-voice';
import { AGENT, type IgnoredCounts, type LineEvent, type LinePlan } from './line-wire';
import { openMediaSocket, UpgradeRefused } from './media-socket';
import { PlayOut } from './play-out';
import { MEDIA_MS, OutgoingMessages, readIncoming } from './stream-messages';
import {
  CLOSE_NORMAL,
  closeFrame,
  FrameFault,
  FrameReader,
  pongFrame,
  textFrame,
  type SocketMessage,
} from './web-socket-frames';

/** A minute of sound in one message takes 640 KB in base64. */
const MOST_MESSAGE_BYTES = 1024 * 1024;
/** A frame that is so late comes from a thread that stood still; timers alone are late by less. */
const STALL_MS = 5;
/** A server that does not read for so long (10 s of our sound) is gone. */
const MOST_UNREAD_BYTES = 256 * 1024;
/** After a pause of the machine of this length the stream goes on from now; shorter ones are caught up with. */
const LONGEST_CATCHING_UP_MS = 2_000;
/** A server is given so long to read that the call is over. */
const GOODBYE_MS = 300;

/** The machine's time, and what a line does at a moment of it. */
export interface LineClock {
  /** Machine ms. */
  now(): number;
  /** Does it once, so much later. @returns takes that back */
  after(milliseconds: number, act: () => void): () => void;
  /** Does it once what has come by now has been read. */
  afterReading(act: () => void): void;
}

const MACHINE_CLOCK: LineClock = {
  now: machineMs,
  after: (milliseconds, act) => {
    // The thread lives for its commands, not for these.
    const timer = setTimeout(act, milliseconds).unref();
    return () => clearTimeout(timer);
  },
  afterReading: (act) => void setImmediate(act),
};

/** One line to an agent, in the thread that carries it: sends our sound at its pace, plays out what is sent to us. It reports; it decides nothing. */
export class HeldLine {
  private readonly ending = new AbortController();
  private readonly messages: OutgoingMessages;
  private readonly frames = new FrameReader(MOST_MESSAGE_BYTES, 'server');
  private readonly hearing = new LineHearing();
  private readonly voice = new LineVoice();
  private readonly sound: CallSound<'line'>;
  private socket: Duplex | null = null;
  private playOut: PlayOut | null = null;
  private cancelFrame: () => void = () => undefined;
  /** Machine ms of the stream's first frame. */
  private beganAt = 0;
  /** When the next frame is due. */
  private dueAt = 0;
  private readonly stalls = new LineStalls();
  /** When the thread began to stand still, until what came in the meantime has been read. */
  private stoodStillAt: number | null = null;
  private wasHeard = false;
  private isOver = false;
  private readonly ignored: IgnoredCounts = {};
  private hasNews = false;

  constructor(
    private readonly plan: LinePlan,
    private readonly report: (event: LineEvent) => void,
    private readonly clock: LineClock = MACHINE_CLOCK,
  ) {
    this.messages = new OutgoingMessages(plan.ids);
    this.sound = new CallSound(
      (samples, keys) => this.voice.say(samples, keys),
      (event) => {
        this.stalls.told(event);
        report(event);
      },
    );
  }

  async ring(): Promise<void> {
    try {
      this.take(await openMediaSocket(this.plan, this.ending.signal));
    } catch (error) {
      if (error instanceof UpgradeRefused) {
        const { status, headers, text } = error.response;
        const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
        return this.report({ type: 'refused', status, headers: plain, text });
      }
      const failure =
        error instanceof ProviderError ? error : new ProviderError('internal', 'The line could not be opened.');
      const isPassing = failure.disposition.kind === 'retryable';
      this.report({ type: 'unreachable', code: failure.code, message: failure.message, isPassing });
    }
  }

  take(socket: Duplex): void {
    this.socket = socket;
    if (this.isOver) return void socket.on('error', () => undefined).destroy();
    socket.on('data', (piece: Buffer) => this.receive(piece));
    socket.on('error', () => this.end({ type: 'lost' }));
    socket.on('close', () => this.end({ type: 'lost' }));
    this.beganAt = this.clock.now();
    this.dueAt = this.beganAt + MEDIA_MS;
    this.playOut = new PlayOut(this.beganAt);
    this.send(this.messages.connected());
    this.send(this.messages.start(this.plan.customParameters));
    this.report({ type: 'connected' });
    this.arm();
  }

  carryOut(message: CallMessage): void {
    if (message.type === 'say') {
      this.stalls.begin();
      this.sound.say(message);
      return;
    }
    if (message.type === 'turnGoesOn') return this.sound.turnGoesOn();
    this.sound.holdInterjection();
    this.listen(this.clock.now());
    // Sound waits for nothing here; a thread that stood still leaves times in doubt, as a late jitter buffer would.
    this.sound.turnOver({ bufferMs: 0, concealedMs: 0, insertedMs: this.stalls.errorMs() });
    this.tellIgnored();
  }

  hush(): void {
    this.sound.dropInterjection();
    this.voice.hush(this.clock.now());
  }

  /** Ends the stream as Twilio does when the caller hangs up. Idempotent. */
  async hangUp(): Promise<void> {
    this.ending.abort();
    this.tellIgnored();
    const { socket, isOver } = this;
    this.stop();
    if (socket !== null && !isOver && !socket.destroyed) {
      socket.write(textFrame(this.messages.stop(), 'client'));
      socket.end(closeFrame(CLOSE_NORMAL, 'client'));
      await new Promise<void>((resolve) => {
        socket.once('close', resolve);
        this.clock.after(GOODBYE_MS, resolve);
      });
      socket.destroy();
    }
    this.report({ type: 'left' });
  }

  private arm(): void {
    this.cancelFrame = this.clock.after(Math.max(0, this.dueAt - this.clock.now()), () => this.tick());
  }

  /** Deadlines are absolute: a late frame does not make the next one late. */
  private tick(): void {
    const now = this.clock.now();
    this.stalls.late(this.dueAt, now);
    if (now - this.dueAt >= STALL_MS) this.stoodStillAt ??= this.dueAt;
    if (now - this.dueAt > LONGEST_CATCHING_UP_MS) this.dueAt = now;
    while (this.dueAt <= now && !this.isOver) {
      const lateMs = now - this.dueAt;
      const { codes, pressed } = this.voice.frame(this.dueAt, lateMs);
      this.send(this.messages.media(codes));
      for (const key of pressed) this.send(this.messages.dtmf(key));
      this.dueAt += MEDIA_MS;
    }
    if (this.isOver) return;
    if (this.stoodStillAt === null) this.listen(now);
    // What came while the thread stood still is read first, and is no gap in what the agent says.
    else this.clock.afterReading(() => this.catchUp(now));
    if (this.hasNews && this.dueAt % 1_000 < MEDIA_MS) this.tellIgnored();
    this.arm();
  }

  private catchUp(now: number): void {
    this.stoodStillAt = null;
    if (!this.isOver) this.listen(now);
  }

  /** Hands on what was heard by now, and answers the marks that it passed. */
  private listen(now: number): void {
    if (this.playOut === null) return;
    const { samples, marks } = this.playOut.takeUntil(now);
    for (const name of marks) this.send(this.messages.mark(name));
    const heard = this.hearing.push(samples);
    if (heard.samples.length === 0) return;
    const at = this.beganAt + (heard.firstSample / HEARD_RATE) * 1_000;
    this.sound.hear(AGENT, 'line', { ...heard, at });
  }

  private receive(piece: Buffer): void {
    if (this.isOver) return;
    const now = this.clock.now();
    try {
      for (const message of this.frames.push(piece)) this.hear(message, now);
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      this.end({ type: 'unusable', what: error.message });
    }
  }

  private hear(message: SocketMessage, now: number): void {
    if (this.isOver) return;
    switch (message.type) {
      case 'text':
        return this.obey(message.text, now);
      case 'binary':
        return this.ignore('binary');
      case 'ping':
        return this.write(pongFrame(message.payload, 'client'));
      case 'close':
        this.listen(now);
        this.write(closeFrame(CLOSE_NORMAL, 'client'));
        return this.end({ type: 'closed', code: message.code });
    }
  }

  private obey(text: string, now: number): void {
    const { playOut } = this;
    if (playOut === null) return;
    const message = readIncoming(text, this.plan.ids.streamSid);
    if (message.event === 'ignored') return this.ignore(message.why);
    if (message.event === 'clear') {
      const { marks, hadWords } = playOut.clear(now);
      for (const name of marks) this.send(this.messages.mark(name));
      if (hadWords) this.report({ type: 'wordsCleared' });
      return;
    }
    if (message.event === 'mark') {
      if (!playOut.mark(message.name, now))
        this.end({ type: 'unusable', what: 'sent more than 1,000 marks without sound between them' });
      return;
    }
    if (!this.wasHeard) this.report({ type: 'voiced', sender: AGENT });
    this.wasHeard = true;
    if (!playOut.add(message.codes, now, this.stoodStillAt ?? now))
      this.end({ type: 'unusable', what: 'sent more than ten minutes of sound ahead of its time' });
  }

  private ignore(why: keyof IgnoredCounts): void {
    this.ignored[why] = (this.ignored[why] ?? 0) + 1;
    this.hasNews = true;
  }

  private tellIgnored(): void {
    if (!this.hasNews) return;
    this.hasNews = false;
    this.report({ type: 'ignored', counts: { ...this.ignored } });
  }

  private send(text: string): void {
    this.write(textFrame(text, 'client'));
  }

  private write(bytes: Buffer): void {
    if (this.socket === null || this.isOver) return;
    this.socket.write(bytes);
    if (this.socket.writableLength > MOST_UNREAD_BYTES)
      this.end({ type: 'unusable', what: 'does not read what it is sent' });
  }

  private end(event: LineEvent): void {
    if (this.isOver) return;
    this.tellIgnored();
    this.sound.trackEnded(AGENT, 'line');
    this.stop();
    this.report(event);
    this.socket?.end();
    this.clock.after(GOODBYE_MS, () => this.socket?.destroy());
  }

  private stop(): void {
    this.isOver = true;
    this.cancelFrame();
    this.sound.dropInterjection();
    this.voice.end();
  }
}
