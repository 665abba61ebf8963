import { countOf, spreadOf, type Count, type Spread } from './figures';
import { withoutShortGaps, type Interjection, type ScriptedPause, type Stretch, type Timeline } from './timeline';

/** How fast an agent must stop for an interruption to count as having yielded, in ms. */
const YIELD_MS = 2_000;
/** A stop later than this after a backchannel has another reason. */
const FALSE_YIELD_MS = 1_000;
/** An agent that goes on within this time only paused; later it has given up what it was saying. */
const RESUMED_MS = 3_000;
/** The share of pauses of one length through which an agent must wait for the length to count as tolerated. */
const TOLERATED_SHARE = 0.9;

/** How the agent answered one turn. */
export type TurnAnswer =
  | { readonly kind: 'answered'; readonly latencyMs: number }
  /** The agent began while the patient's turn was not over. */
  | { readonly kind: 'premature'; readonly at: number }
  /** It said nothing before the patient's next turn. */
  | { readonly kind: 'unanswered' }
  /** It was speaking when the turn began and went on past its end. */
  | { readonly kind: 'talked_through' }
  | { readonly kind: 'unreliable' };

/** What an agent did after the patient spoke into its speech; times in ms. */
type Yield =
  | { readonly kind: 'stopped'; readonly afterMs: number }
  /** It was not speaking when the patient began: nothing was interrupted. */
  | { readonly kind: 'missed' }
  | { readonly kind: 'unreliable' };

export type BackchannelOutcome =
  | 'talked_through'
  | 'paused_and_resumed'
  | 'gave_up'
  /** It stopped and had said all it had to say. */
  | 'finished'
  /** It stopped for good, and whether it had more to say is not known. */
  | 'unknown'
  | 'missed'
  | 'unreliable';

/** What became of an interjection: of an interruption whether the agent stopped, of a backchannel its outcome. */
export type InterjectionAnswer = {
  /** From its start to the end of the agent's sound; null where the agent was not speaking, or the times say nothing. */
  readonly afterMs: number | null;
} & (
  | { readonly kind: 'interruption'; readonly outcome: Yield['kind'] }
  | { readonly kind: 'backchannel'; readonly outcome: BackchannelOutcome }
);

export interface TurnTaking {
  readonly answers: readonly TurnAnswer[];
  /** In the order of the timeline's interjections. */
  readonly interjections: readonly InterjectionAnswer[];
  /** From the end of the patient's turn to the agent's first sound. */
  readonly responseLatency: Spread;
  /** Of the reliable turns. */
  readonly prematureStarts: Count;
  /** From `start` to the agent's first sound; null where it never spoke. */
  readonly timeToFirstWordMs: number | null;
  /** The longest scripted pause through which the agent waited in 90 % of at least 10 cases; null where no length has as many. */
  readonly pauseToleranceMs: number | null;
  /** Pauses by their scripted length: how many there were, and through how many the agent waited. */
  readonly pauses: readonly { readonly scriptedMs: number; readonly tolerated: Count }[];
  /** From the start of an interruption to the end of the agent's sound. */
  readonly yield: Spread;
  /** Interruptions after which the agent stopped within 2.0 s. */
  readonly yieldedInTime: Count;
  readonly backchannels: Readonly<Record<BackchannelOutcome, number>>;
  /** Backchannels for which the agent stopped within 1.0 s with a sentence unfinished, of those that could be judged. */
  readonly falseYields: Count;
}

/** Who takes the floor when, of one call. Turns whose timing is not reliable are in no figure. */
export function turnTakingOf(timeline: Timeline): TurnTaking {
  const agent = withoutShortGaps(timeline.agent);
  const answers = timeline.turns.map((turn, index) => answerTo(timeline, agent, index));
  const latencies = answers.flatMap((answer) => (answer.kind === 'answered' ? [answer.latencyMs] : []));
  const judged = answers.filter(({ kind }) => kind !== 'unreliable').length;
  const pauses = pausesOf(timeline, agent);
  const interjections = timeline.interjections.map((interjection) => answerOf(interjection, agent, timeline));
  const stops = interjections.flatMap(({ kind, afterMs }) =>
    kind === 'interruption' && afterMs !== null ? [afterMs] : [],
  );
  const backchannels = tally(interjections.flatMap((one) => (one.kind === 'backchannel' ? [one.outcome] : [])));
  const falseYields = backchannels.paused_and_resumed + backchannels.gave_up;
  const first = agent.find(({ to }) => to > timeline.start);
  return {
    answers,
    interjections,
    responseLatency: spreadOf(latencies),
    prematureStarts: countOf(judged, answers.filter(({ kind }) => kind === 'premature').length),
    timeToFirstWordMs: first === undefined ? null : Math.max(0, first.from - timeline.start),
    pauseToleranceMs: longestTolerated(pauses.map(({ scriptedMs, tolerated: { rate } }) => ({ scriptedMs, rate }))),
    pauses,
    yield: spreadOf(stops),
    yieldedInTime: countOf(stops.length, stops.filter((afterMs) => afterMs <= YIELD_MS).length),
    backchannels,
    falseYields: countOf(falseYields + backchannels.talked_through + backchannels.finished, falseYields),
  };
}

function answerTo({ turns, end }: Timeline, agent: readonly Stretch[], index: number): TurnAnswer {
  const turn = turns[index];
  if (turn === undefined || !turn.reliable) return { kind: 'unreliable' };
  const premature = agent.find(({ from }) => from > turn.from && from < turn.to);
  if (premature !== undefined) return { kind: 'premature', at: premature.from };
  if (agent.some(({ from, to }) => from <= turn.from && to > turn.to)) return { kind: 'talked_through' };
  const next = turns[index + 1]?.from ?? end;
  const answer = agent.find(({ from }) => from >= turn.to);
  // What begins with the patient's next turn or after it answers that one, or speaks into it.
  if (answer === undefined || answer.from >= next) return { kind: 'unanswered' };
  return { kind: 'answered', latencyMs: answer.from - turn.to };
}

function pausesOf({ turns }: Timeline, agent: readonly Stretch[]): TurnTaking['pauses'] {
  const pauses = turns.filter(({ reliable }) => reliable).flatMap((turn) => turn.pauses);
  // Where the agent was speaking already when the pause began, nothing was tolerated or not.
  const silent = pauses.filter((pause) => !agent.some(({ from, to }) => from < pause.from && to > pause.from));
  const lengths = [...new Set(silent.map(({ scriptedMs }) => scriptedMs))].sort((one, other) => one - other);
  return lengths.map((scriptedMs) => {
    const same = silent.filter((pause) => pause.scriptedMs === scriptedMs);
    return { scriptedMs, tolerated: countOf(same.length, same.filter((pause) => waits(agent, pause)).length) };
  });
}

function waits(agent: readonly Stretch[], pause: ScriptedPause): boolean {
  return !agent.some(({ from }) => from >= pause.from && from < pause.to);
}

/** The longest tolerated pause in ms, of pauses by their length in ascending order; null where no length counts as tolerated. */
export function longestTolerated(
  pauses: readonly { readonly scriptedMs: number; readonly rate: number | null }[],
): number | null {
  return pauses.findLast(({ rate }) => rate !== null && rate >= TOLERATED_SHARE)?.scriptedMs ?? null;
}

function answerOf(interjection: Interjection, agent: readonly Stretch[], timeline: Timeline): InterjectionAnswer {
  const stop = yieldTo(interjection, agent);
  const afterMs = stop.kind === 'stopped' ? stop.afterMs : null;
  return interjection.kind === 'interruption'
    ? { kind: 'interruption', outcome: stop.kind, afterMs }
    : { kind: 'backchannel', outcome: outcomeOf(interjection, agent, timeline), afterMs };
}

function yieldTo({ from, reliable }: Interjection, agent: readonly Stretch[]): Yield {
  if (!reliable) return { kind: 'unreliable' };
  const spoken = agent.find((segment) => segment.from <= from && segment.to > from);
  return spoken === undefined ? { kind: 'missed' } : { kind: 'stopped', afterMs: spoken.to - from };
}

/** A gap of less than 0.3 s is no stop: the agent's segments are merged over it. */
function outcomeOf(interjection: Interjection, agent: readonly Stretch[], timeline: Timeline): BackchannelOutcome {
  const stop = yieldTo(interjection, agent);
  if (stop.kind !== 'stopped') return stop.kind;
  if (stop.afterMs > FALSE_YIELD_MS) return 'talked_through';
  const stoppedAt = interjection.from + stop.afterMs;
  const spoken = [...timeline.turns, ...timeline.interjections].filter(({ from }) => from > interjection.from);
  const resumption = agent.find(({ from }) => from > stoppedAt && from <= stoppedAt + RESUMED_MS);
  // After the patient has said something else, the agent answers that.
  const resumes = resumption !== undefined && !spoken.some(({ from }) => from < resumption.from);
  // Whether its text ends with a sentence says nothing of where it stopped, once it has gone on.
  if (resumes) return 'paused_and_resumed';
  if (interjection.agentUnfinished === false) return 'finished';
  return interjection.agentUnfinished === null ? 'unknown' : 'gave_up';
}

function tally(outcomes: readonly BackchannelOutcome[]): Record<BackchannelOutcome, number> {
  const counts = {
    talked_through: 0,
    paused_and_resumed: 0,
    gave_up: 0,
    finished: 0,
    unknown: 0,
    missed: 0,
    unreliable: 0,
  };
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}
