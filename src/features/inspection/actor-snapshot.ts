import { statePath } from '../../../machines/chart-definition';
import type { ScenarioRunContext } from '../../../machines/scenario-run.context';
import { listDispatched, type TestRunContext } from '../../../machines/test-run.machine';
import { readPace } from '../../agents/config';
import type { LiveActor } from '../../engine/actors/live-actor';
import type { ActorBrief } from './inspection-messages';

interface Child {
  getSnapshot(): { readonly status: string };
}

/** The current state of an actor. */
export function briefOf(live: LiveActor): ActorBrief {
  const { kind, id, attempt, actor, clock } = live;
  const snapshot = actor.getSnapshot();
  // The innermost state's effect began last.
  const awaited = Object.entries<Child | undefined>(snapshot.children).findLast(
    ([, child]) => child?.getSnapshot().status === 'active',
  );
  const state = statePath(snapshot.value);
  return {
    kind,
    id,
    attempt,
    state,
    since: clock.since,
    awaits: awaited?.[0] ?? null,
    deadline: deadlineOf(live, state),
  };
}

/** An actor's context, field by field: what is not listed here is not shown, and of texts only the length. */
export function contextOf(live: LiveActor): Record<string, unknown> {
  return live.kind === 'scenario_run'
    ? scenarioRunContext(live.actor.getSnapshot().context)
    : testRunContext(live.actor.getSnapshot().context);
}

function scenarioRunContext(context: ScenarioRunContext): Record<string, unknown> {
  const { patientMessage, reply, verdict, failure } = context;
  return {
    status: context.status,
    attempt: context.attempt,
    max_turns: context.maxTurns,
    has_rubric: context.hasRubric,
    exchanges: context.exchanges.map(({ turn, patientMessage: patient, agentMessage, latencyMs }) => ({
      turn,
      patient_length: patient.length,
      agent_length: agentMessage.length,
      latency_ms: latencyMs,
    })),
    patient_message: patientMessage && { turn: patientMessage.turn, length: patientMessage.content.length },
    reply: reply && { turn: reply.turn, length: reply.content.length, latency_ms: reply.latencyMs },
    verdict: verdict && {
      passed: verdict.passed,
      score_percent: verdict.scorePercent,
      criteria: verdict.criteria.length,
    },
    failure: failure && { code: failure.code, message_length: failure.message.length },
  };
}

function testRunContext(context: TestRunContext): Record<string, unknown> {
  const dispatched = listDispatched(context);
  return {
    status: context.status,
    attempt: context.attempt,
    scheduled_at: context.scheduledAt,
    concurrency_limit: context.concurrencyLimit,
    unsettled_at_start: context.unsettled.length,
    next: context.next,
    live: context.live,
    handed_out: dispatched.slice(0, 100),
    round: context.round,
  };
}

/** When what the actor waits for is due or is given up, as far as it knows: other effects have limits of their own. */
function deadlineOf(live: LiveActor, state: string): string | null {
  if (live.kind === 'test_run') {
    return state === 'live.scheduled' ? live.actor.getSnapshot().context.scheduledAt : null;
  }
  if (state !== 'active.conversing.awaitingReply' || live.agentConfig === null) return null;
  try {
    const { turn_timeout_ms } = readPace(live.agentConfig);
    return new Date(Date.parse(live.clock.since) + turn_timeout_ms).toISOString();
  } catch {
    return null;
  }
}
