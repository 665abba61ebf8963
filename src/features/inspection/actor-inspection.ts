import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { statePath, type ScenarioRunContext, listDispatched, type TestRunContext } from '../../../machines';
import { readPace } from '../../agents';
import { ActorHost, type LiveActor, ProcessId } from '../../engine/actors';
import { Bus, type Subscription, subjects } from '../../engine/bus';
import { Log } from '../../platform/config';
import { ActorWatch, floorOf } from './actor-watch';
import {
  actorsQuestion,
  WatchTimes,
  type ActorBrief,
  type ActorNotice,
  type ActorSnapshot,
} from './inspection-messages';

/** An actor that a client watches, here or on another process. */
interface Lease {
  expiresAt: number;
  /** Null while the actor does not live here. */
  watch: ActorWatch | null;
}

/**
 * Answers what other processes (and this one) ask about the live actors of this process, and publishes what happens to those
 * that a client watches. A watch is a lease: it ends on its own unless renewed.
 */
@Injectable()
export class ActorInspection implements OnModuleInit, OnApplicationShutdown {
  private readonly leases = new Map<string, Lease>();
  private readonly subscriptions: Subscription[] = [];
  private sweep: NodeJS.Timeout | null = null;

  constructor(
    private readonly bus: Bus,
    private readonly host: ActorHost,
    private readonly processId: ProcessId,
    private readonly times: WatchTimes,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    const { value } = this.processId;
    this.host.onStarting((live) => this.meet(live));
    this.subscriptions.push(
      this.bus.respond(subjects.inspectActors(value), async (payload) => this.briefs(payload)),
      this.bus.respond(subjects.inspectActor(value), async (payload) => this.snapshot(payload)),
      this.bus.subscribe(subjects.anyWatch, (_payload, subject) => {
        this.renew(subject.slice(subject.lastIndexOf('.') + 1));
      }),
    );
  }

  onApplicationShutdown(): void {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
    for (const id of [...this.leases.keys()]) this.end(id);
  }

  /** Actors of this process that are being watched. */
  get watching(): number {
    return [...this.leases.values()].filter(({ watch }) => watch !== null).length;
  }

  private briefs(payload: unknown): ActorBrief[] {
    const ids = new Set(actorsQuestion.parse(payload).ids);
    const briefs: ActorBrief[] = [];
    if (ids.size === 0) return briefs;
    for (const live of this.host.listLive()) if (ids.has(live.id)) briefs.push(briefOf(live));
    return briefs;
  }

  private snapshot(payload: unknown): ActorSnapshot | null {
    const [id] = actorsQuestion.parse(payload).ids;
    const live = id === undefined ? undefined : this.find(id);
    if (live === undefined) return null;
    const watch = this.leases.get(live.id)?.watch;
    const isWatched = watch !== undefined && watch !== null && watch.live.actor === live.actor;
    return {
      ...briefOf(live),
      context: contextOf(live),
      watched: isWatched ? { watch_id: watch.id, last: watch.last, transitions: [...watch.transitions] } : null,
    };
  }

  /** The newest attempt, should two of them be here. */
  private find(id: string): LiveActor | undefined {
    return [...this.host.listLive()]
      .filter((live) => live.id === id)
      .reduce<LiveActor | undefined>(
        (newest, live) => (newest && newest.attempt > live.attempt ? newest : live),
        undefined,
      );
  }

  private renew(id: string): void {
    const expiresAt = Date.now() + this.times.leaseMs;
    const lease = this.leases.get(id);
    if (lease !== undefined) {
      lease.expiresAt = expiresAt;
      return;
    }
    const live = this.find(id);
    this.leases.set(id, { expiresAt, watch: live === undefined ? null : this.watch(live, false) });
    this.sweep ??= setInterval(() => this.endExpired(), this.times.leaseMs / 2).unref();
  }

  /** Begins the watch of an actor that starts and that a client is waiting to watch. */
  private meet(live: LiveActor): void {
    const lease = this.leases.get(live.id);
    if (lease === undefined) return;
    lease.watch?.end();
    lease.watch = this.watch(live, true);
  }

  private watch(live: LiveActor, isNew: boolean): ActorWatch {
    return new ActorWatch(live, isNew, (notice) => this.publish(live.id, notice));
  }

  /** Called from inside the actor's own step, where nothing may be thrown: watchers notice the gap and read again. */
  private publish(id: string, notice: ActorNotice): void {
    try {
      this.bus.publish(subjects.actorTransition(id), notice);
    } catch (error) {
      this.log.error('A transition could not be published', { error, actorId: id });
    }
  }

  private endExpired(): void {
    const now = Date.now();
    for (const [id, { expiresAt }] of this.leases) if (expiresAt <= now) this.end(id);
  }

  private end(id: string): void {
    this.leases.get(id)?.watch?.end();
    this.leases.delete(id);
    if (this.leases.size > 0 || this.sweep === null) return;
    clearInterval(this.sweep);
    this.sweep = null;
  }
}

interface Child {
  getSnapshot(): { readonly status: string };
}

/** The current state of an actor. */
function briefOf(live: LiveActor): ActorBrief {
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
    floor: floorOf(live),
  };
}

/** An actor's context, field by field: what is not listed here is not shown, and of texts only the length. */
function contextOf(live: LiveActor): Record<string, unknown> {
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
