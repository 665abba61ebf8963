import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnyMachineSnapshot, OutputFrom, SnapshotFrom } from 'xstate';
import {
  type Conversation,
  type Recorder,
  turnNumberOf,
  type ScenarioRunContext,
  type ScenarioRunInput,
  scenarioRunMachine,
} from '../../../machines';
import { EffectFailed, ERROR_CODES } from '../../domain';
import type { ConversationFacts, LoggedStep, TurnTimes } from './inspection.store';
import { charts, ChartWalk, done, failed, type Possible, type WalkedStep, transitionOf } from './chart-walk';
import type { ActorTransition } from '../../../contract/inspection';

type Effects = NonNullable<Parameters<typeof scenarioRunMachine.provide>[0]['actors']>;
type Answers = {
  readonly [Effect in keyof Effects]?: (
    context: ScenarioRunContext,
    step: Step,
  ) => OutputFrom<NonNullable<Effects[Effect]>>;
};

/** A step with what the one after it says of it. */
interface Step extends LoggedStep {
  /** The agent ended the conversation with the reply of this turn. */
  readonly endsConversation: boolean;
}

/** The outputs of successful effects, as far as the chart depends on them; the others return nothing. */
const ANSWERS: Answers = {
  composeMessage: (context, { at }) => ({ ...UNREAD_MESSAGE, turn: turnNumberOf(context), at: at.toISOString() }),
  sendMessage: (context, step) =>
    step.type === 'grading_started'
      ? { turn: turnNumberOf(context), content: null, isUnanswered: true }
      : {
          ...UNREAD_MESSAGE,
          turn: turnNumberOf(context),
          at: step.at.toISOString(),
          latencyMs: null,
          continuation: null,
          endsConversation: step.endsConversation,
        },
  recordTurn: (context) => ({ turn: turnNumberOf(context) }),
  judgeTranscript: (_, { status }) => ({ ...UNREAD_VERDICT, passed: status === 'passed' }),
};

/** Nothing is executed again: the walk itself supplies the effects' outputs. */
const neverCalled = (): Promise<never> => Promise.reject(new Error('A walk through a chart executes nothing.'));
const conversation: Conversation = {
  connect: neverCalled,
  compose: neverCalled,
  send: neverCalled,
  disconnect: neverCalled,
  judge: neverCalled,
};
const recorder: Recorder = {
  recordTurn: neverCalled,
  recordGradingStart: neverCalled,
  recordVerdict: neverCalled,
  recordFailure: neverCalled,
};

const UNREAD_MESSAGE = { content: '', notes: {} };

const UNREAD_VERDICT = { passed: false, scorePercent: 0, totalPoints: 0, maxPoints: 0, summary: '', criteria: [] };

/** The effects that may end in an error of this code; every other one is on the agent's side. */
const FAILING: Readonly<Record<string, readonly string[] | undefined>> = {
  tester_failed: ['composeMessage'],
  speech_failed: ['connect', 'sendMessage'],
  grading_failed: ['judgeTranscript'],
  internal: Object.keys(scenarioRunMachine.implementations.actors),
};

/** A path on which something fails is taken only when no other leads to what the log holds. */
const DONE_COST = 1;
const FAILED_COST = 100;

type Looked = (snapshot: AnyMachineSnapshot) => boolean;

/** The actor's state once the log holds an event of this type. Events of other types add no step. */
const LEADS_TO: Readonly<Record<string, ((step: LoggedStep) => Looked) | undefined>> = {
  transcript_update: (step) => (snapshot) => contextIn(snapshot)?.exchanges.length === step.turn,
  grading_started: () => (snapshot) => contextIn(snapshot)?.status === 'grading',
  scenario_complete: (step) => hasEnded(step.status ?? 'failed'),
  scenario_error: () => hasEnded('error'),
  scenario_canceled: () => hasEnded('canceled'),
};

/**
 * The path of a scenario run through its chart, derived from what was stored: of every attempt, including those whose
 * process died. The log holds outcomes; the chart itself says which steps lead from one to the next. Steps that must have
 * come before an outcome are marked as inferred. An attempt costs a few milliseconds; other work gets turns in between.
 */
export async function storedTransitions(
  steps: readonly LoggedStep[],
  turns: readonly TurnTimes[],
  facts: ConversationFacts,
): Promise<readonly ActorTransition[]> {
  const walk = new ChartWalk(scenarioRunMachine, charts.scenario_run);
  const derived: ActorTransition[] = [];
  let attempt = 0;

  const begin = (step: LoggedStep | undefined, isThere: Looked): WalkedStep => {
    const before = contextIn(walk.snapshot);
    // A conversation that starts again counts from 1 again.
    const isRestarted = step?.type === 'transcript_update' && step.turn === 1;
    const row: ScenarioRunInput = {
      scenarioRunId: '',
      testRunId: '',
      attempt,
      status: attempt === 0 && step?.type === 'scenario_canceled' ? 'canceled' : (before?.status ?? 'running'),
      maxTurns: facts.max_turns,
      hasRubric: step?.error_code !== 'no_rubric',
      exchanges: isRestarted ? [] : (before?.exchanges ?? []),
      conversation,
      recorder,
    };
    return walk.begin(row, isThere);
  };

  for (const [index, step] of steps.entries()) {
    if (step.type === 'scenario_started') {
      if (walk.snapshot !== null) await nextTurn();
      attempt = step.attempt ?? attempt + 1;
      const first = begin(steps[index + 1], () => false);
      derived.push(transitionOf(charts.scenario_run, first, attempt, step.at, 'stored'));
      continue;
    }
    const isThere = LEADS_TO[step.type]?.(step);
    if (isThere === undefined) continue;
    // Ended before its first attempt.
    if (walk.snapshot === null) begin(step, () => true);
    const told = { ...step, endsConversation: hungUpWith(step, steps[index + 1]) };
    const path = walk.to(isThere, (snapshot) => possibleIn(walk, snapshot, told, facts)) ?? [];
    const times = turns.findLast(({ turn, conversation }) => turn === step.turn && conversation <= attempt);
    for (const [position, walked] of path.entries()) {
      const isLast = position === path.length - 1;
      const { at, source } = isLast ? { at: step.at, source: 'stored' as const } : whenOf(walked, step.at, times);
      derived.push(transitionOf(charts.scenario_run, walked, attempt, at, source));
    }
  }
  return derived;
}

/** The events that the actor may receive in its current state, on its way to what the log holds. */
function possibleIn(
  walk: ChartWalk,
  snapshot: AnyMachineSnapshot,
  step: Step,
  { connect_ms: connectMs }: ConversationFacts,
): readonly Possible[] {
  if (step.type === 'scenario_canceled') return [{ event: { type: 'runCanceled' }, cost: DONE_COST }];
  const context = contextIn(snapshot);
  if (context === null) return [];
  const answers: Readonly<Record<string, ((context: ScenarioRunContext, step: Step) => unknown) | undefined>> = ANSWERS;
  const code = ERROR_CODES.find((known) => known === step.error_code);
  // A session that was opened did not fail to open.
  const agentSide = connectMs === null ? ['connect', 'sendMessage'] : ['sendMessage'];
  return walk.effectsIn(snapshot).flatMap((effect): Possible[] => {
    const outcomes = [{ event: done(effect, answers[effect]?.(context, step)), cost: DONE_COST }];
    if (code === undefined || !(FAILING[code] ?? agentSide).includes(effect)) return outcomes;
    return [...outcomes, { event: failed(effect, new EffectFailed({ code, message: '' })), cost: FAILED_COST }];
  });
}

/** Grading that the agent brought about with its last reply was committed with that turn: at the same moment. */
function hungUpWith(step: LoggedStep, next: LoggedStep | undefined): boolean {
  return next?.type === 'grading_started' && next.ended_by !== null && next.at.getTime() === step.at.getTime();
}

/** When a step was taken that the log itself does not hold: messages have times of their own. */
function whenOf(
  { heard }: WalkedStep,
  latest: Date,
  times: TurnTimes | undefined,
): { at: Date; source: 'stored' | 'inferred' } {
  if (times === undefined || heard === null) return { at: latest, source: 'inferred' };
  const { patient_at: composedAt, agent_at: repliedAt, tester_ms: testerMs } = times;
  switch (heard.type) {
    case done('connect').type:
      return { at: new Date(composedAt.getTime() - (testerMs ?? 0)), source: 'inferred' };
    case done('composeMessage').type:
      return { at: composedAt, source: 'stored' };
    case done('sendMessage').type:
      return { at: repliedAt, source: 'stored' };
    default:
      return { at: latest, source: 'inferred' };
  }
}

function contextIn(snapshot: unknown): ScenarioRunContext | null {
  return isScenarioRun(snapshot) ? snapshot.context : null;
}

function isScenarioRun(snapshot: unknown): snapshot is SnapshotFrom<typeof scenarioRunMachine> {
  return (
    typeof snapshot === 'object' &&
    snapshot !== null &&
    'machine' in snapshot &&
    snapshot.machine === scenarioRunMachine
  );
}

function hasEnded(status: string): Looked {
  return (snapshot) => snapshot.status === 'done' && snapshot.hasTag(status);
}
