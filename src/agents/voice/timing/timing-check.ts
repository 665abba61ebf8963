import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError } from '../../errors';
import type { AgentCall } from '../agent-call';
import type { HeardSound } from '../call-floor';
import { HEARD_RATE, machineMs, SPOKEN_RATE } from '../sound-clocks';
import { constructedVoice, loudIn } from './constructed-voice';
import type { HeardPieces, KnownTurn } from './known-agent-wire';
import type { StartedAgent } from './known-agents';

/** A call with an agent whose delays are known, in a room or on a line. */
export interface KnownPlace {
  readonly call: AgentCall;
  readonly agent: StartedAgent;
  /** Ends the call and the agent. Idempotent, never throws. */
  leave(): Promise<void>;
}

/** Starts an agent with this script and calls it; `onSound` receives what it says. @throws ProviderError */
export type CallKnownAgent = (
  turns: readonly KnownTurn[],
  onSound: (sound: HeardSound) => void,
  signal: AbortSignal,
) => Promise<KnownPlace>;

export interface TimingCheck {
  readonly callAgent: CallKnownAgent;
  readonly turns: readonly KnownTurn[];
  /** Called after every turn; null: it was not heard. */
  readonly onTurn?: (turn: TimedTurn | null) => void;
  /** How long a call settles before its first turn; as long as buffers of both sides take where nothing is said. */
  readonly warmUpMs?: number;
}

/** A turn as it was measured, and as it was; in ms. */
export interface TimedTurn {
  readonly scriptedMs: number;
  /** From the end of the patient's words at the agent's ear to the agent's first sound as it went out. */
  readonly trueMs: number;
  /** From the end of the patient's words as they went out to the agent's first sound at the patient's ear. */
  readonly measuredMs: number;
  /** From the beginning of an interruption, as it went out, to the agent's last sound at the patient's ear; null without one. */
  readonly yieldMs: number | null;
  readonly trueYieldMs: number | null;
  readonly isReliable: boolean;
  /** Of the patient's sound at the agent's ear; null of the first turn, and where sound has no place but its arrival. */
  readonly heardPieces: HeardPieces | null;
}

/** Delays of agents as they are: quick, usual, slow, and one that looks something up. */
const DELAYS_MS = [300, 800, 1_500, 3_000];
const YIELDS_MS = [0, 300, 600];
/** Every so many turns the agent is interrupted. */
const INTERRUPTED_EVERY = 3;
const SPEECH_MS = 600;
/** Long enough to be interrupted. */
const LONG_SPEECH_MS = 3_000;

/** What an agent does while the error of a machine's times is measured: it answers after each delay in turn, and is interrupted now and then. */
export function calibrationTurns(count: number): KnownTurn[] {
  return Array.from({ length: count }, (_, place) => {
    const isInterrupted = place % INTERRUPTED_EVERY === INTERRUPTED_EVERY - 1;
    const yieldsAfterMs = YIELDS_MS[Math.floor(place / INTERRUPTED_EVERY) % YIELDS_MS.length] ?? 0;
    return {
      delayMs: DELAYS_MS[place % DELAYS_MS.length] ?? 0,
      speechMs: isInterrupted ? LONG_SPEECH_MS : SPEECH_MS,
      yieldsAfterMs: isInterrupted ? yieldsAfterMs : null,
    };
  });
}

/** Buffers of both sides settle in this time. */
const WARM_UP_MS = 3_000;
const PATIENT_MS = 600;
/** Into the agent's words; and how long the patient then speaks. */
const INTERRUPTS_AFTER_MS = 700;
const INTERRUPTION_MS = 400;
const SILENCE_MS = 500;
/** A turn takes its delay, its speech and this at most. */
const TURN_GRACE_MS = 15_000;

/** Turns in a row; what is heard no more will not be heard. */
const MOST_UNHEARD = 3;

/**
 * Examines agents whose delays are known, each in a room or on a line of its own, and says what it measured beside what was. The difference
 * is the way there and back, which is the same for every turn, and the error of the clock. A turn in which nothing was heard is null: the
 * next is taken with a new agent, in a call of its own.
 * @param calls at once: they are begun one after the other, since a machine that starts ten agents hears none of them, and then timed together
 * @throws ProviderError when three turns in a row are not heard, or no call is to be had
 */
export async function timeKnownAgents(
  check: TimingCheck,
  calls: number,
  signal: AbortSignal,
): Promise<(TimedTurn | null)[][]> {
  const begun: KnownCall[] = [];
  try {
    while (begun.length < calls) begun.push(await KnownCall.begin(check, check.turns, signal));
    await sleep(check.warmUpMs ?? WARM_UP_MS, undefined, { signal });
  } catch (error) {
    await Promise.all(begun.map((call) => call.end()));
    throw error;
  }
  return Promise.all(begun.map((call) => timeCall(check, call, signal)));
}

async function timeCall(check: TimingCheck, first: KnownCall, signal: AbortSignal): Promise<(TimedTurn | null)[]> {
  const timed: (TimedTurn | null)[] = [];
  const tell = (turn: TimedTurn | null): void => {
    timed.push(turn);
    check.onTurn?.(turn);
  };
  for (let call = first; ;) {
    try {
      for (const turn of check.turns.slice(timed.length)) tell(await call.time(turn, signal));
    } catch (error) {
      const areUnheard = timed.slice(1 - MOST_UNHEARD).filter((turn) => turn === null).length === MOST_UNHEARD - 1;
      if (areUnheard || signal.aborted || !(error instanceof ProviderError)) throw error;
      tell(null);
    } finally {
      await call.end();
    }
    const left = check.turns.slice(timed.length);
    if (left.length === 0) return timed;
    call = await KnownCall.begin(check, left, signal);
    await sleep(check.warmUpMs ?? WARM_UP_MS, undefined, { signal });
  }
}

/** A call with an agent whose delays are known. */
class KnownCall {
  private turns = 0;

  private constructor(
    private readonly place: KnownPlace,
    private readonly heard: HeardSamples,
  ) {}

  /** @param turns the agent's script @throws ProviderError */
  static async begin({ callAgent }: TimingCheck, turns: readonly KnownTurn[], signal: AbortSignal): Promise<KnownCall> {
    const heard = new HeardSamples();
    return new KnownCall(await callAgent(turns, (sound) => heard.add(sound), signal), heard);
  }

  /** @throws ProviderError when the agent was not heard */
  time(turn: KnownTurn, signal: AbortSignal): Promise<TimedTurn> {
    const place = this.turns;
    this.turns += 1;
    return timeTurn({ call: this.place.call, agent: this.place.agent, heard: this.heard, place, turn }, signal);
  }

  end(): Promise<void> {
    return this.place.leave();
  }
}

interface Parts {
  readonly call: AgentCall;
  readonly agent: StartedAgent;
  readonly heard: HeardSamples;
  readonly place: number;
  readonly turn: KnownTurn;
}

async function timeTurn({ call, agent, heard, place, turn }: Parts, signal: AbortSignal): Promise<TimedTurn> {
  const withinMs = turn.delayMs + turn.speechMs + TURN_GRACE_MS;
  const said = await call.say({ samples: constructedVoice(PATIENT_MS, SPOKEN_RATE), interjection: null }, signal);
  const limit = () => ({ deadline: performance.now() + withinMs, late: notHeard });
  const interruption = turn.yieldsAfterMs === null ? null : await interrupt(call, said.to, limit(), signal);
  const spans = await call.silence(said.to, SILENCE_MS, limit(), signal);
  const truth = await agent.answer(place, withinMs, signal);
  const sound = await heard.between(said.to, spans.at(-1)?.to ?? said.to, signal);
  // An agent that stops at once would take what is said now for the rest of the interruption.
  await sleep(Math.max(0, (interruption?.to ?? 0) + SILENCE_MS - machineMs()), undefined, { signal });
  const isYield = interruption !== null && truth.interruptedAt !== null;
  return {
    scriptedMs: turn.delayMs,
    trueMs: truth.from - truth.heardEnd,
    measuredMs: sound.from - said.to,
    yieldMs: isYield ? sound.to - interruption.from : null,
    trueYieldMs: isYield ? truth.to - (truth.interruptedAt ?? 0) : null,
    isReliable: said.isReliable && truth.isReliable && (interruption?.isReliable ?? true),
    heardPieces: truth.heard ?? null,
  };
}

async function interrupt(
  call: AgentCall,
  since: number,
  limit: { readonly deadline: number; readonly late: () => ProviderError },
  signal: AbortSignal,
) {
  await call.beginning(since, limit, signal);
  await sleep(INTERRUPTS_AFTER_MS, undefined, { signal });
  return call.say({ samples: constructedVoice(INTERRUPTION_MS, SPOKEN_RATE), interjection: null }, signal);
}

function notHeard(): ProviderError {
  return new ProviderError('provider_timeout', 'The agent with known delays was not heard.');
}

/** A voice is known to the step in which it ends. */
const EDGE_MS = 20;
/** Sound comes in pieces of a second. */
const PIECE_WAIT_MS = 5_000;

/** Where the agent's sound was loud, in machine ms. */
class HeardSamples {
  private readonly loud: { readonly from: number; readonly to: number }[] = [];
  private until = 0;

  add({ samples, at }: HeardSound): void {
    const found = loudIn(samples);
    const timeOf = (sample: number): number => at + (sample / HEARD_RATE) * 1_000;
    if (found !== null) this.loud.push({ from: timeOf(found.first), to: timeOf(found.last + 1) });
    this.until = timeOf(samples.length);
  }

  /** The first and the last loud sample from one moment to another, in machine ms, once all sound until then has come. */
  async between(
    since: number,
    end: number,
    signal: AbortSignal,
  ): Promise<{ readonly from: number; readonly to: number }> {
    const deadline = performance.now() + PIECE_WAIT_MS;
    while (this.until < end + EDGE_MS && performance.now() < deadline) await sleep(50, undefined, { signal });
    const found = this.loud.filter(({ to }) => to > since);
    const [first, last] = [found[0], found.at(-1)];
    if (first === undefined || last === undefined) throw notHeard();
    return { from: first.from, to: last.to };
  }
}
