import { createHash, randomUUID } from 'node:crypto';
import { BadRequestException, ConflictException, HttpException, Injectable, NotFoundException } from '@nestjs/common';
import { ProcessId } from '../../engine/actors';
import { TestRunLedger } from '../../engine/ledger';
import { Settings } from '../../platform/config';
import { ALONE, Database, type Queryable, type WriteWith } from '../../platform/database';
import { addAuditRecords, type AuditDraft } from '../audit/audit.store';
import { RunBeginnings } from '../runs/run-beginnings';
import { RunPlans, type AskedRun, type PlannedRun } from '../runs/run-plans';
import { noteDeliveries } from '../webhooks/webhook-deliveries.store';
import { WebhookPayloads } from '../webhooks/webhook-payloads';
import { ScheduleStartsStore, type NewStart } from './schedule-starts.store';
import type { ScheduleEntity } from './schedule.entity';
import { ScheduleClock } from './schedule-clock';
import { missedSentence, notStartedSentence, stillGoingSentence } from './start-sentences';
import { Timetable } from './timetable';
import { recurringRunRequest, type StartRunAnswer } from '../../../contract/start-run';

/** Another process has made the start, or the schedule was changed after it was read. */
class StartTaken extends Error {
  override readonly name = 'StartTaken';
}

/** What was due at this time is in the history already: the clock was set back. */
class StartNoted extends Error {
  override readonly name = 'StartNoted';
}

/** The run before it is still going. */
class StillGoing extends Error {
  override readonly name = 'StillGoing';

  constructor(readonly label: string) {
    super('A run of the schedule is still going.');
  }
}

/** One start that is due, and the one after it. */
interface Due {
  readonly schedule: ScheduleEntity;
  readonly dueAt: Date;
  readonly next: Date | null;
}

/**
 * Makes the starts of schedules. A start moves its schedule on to the next one in the transaction that stores its run: of several
 * processes one can do that, and one that dies has done both or neither. The id of the run is made of the schedule and the time, so
 * that a commit in doubt is resolved by storing it again.
 */
@Injectable()
export class ScheduledStarts {
  constructor(
    private readonly starts: ScheduleStartsStore,
    private readonly plans: RunPlans,
    private readonly beginnings: RunBeginnings,
    private readonly ledger: TestRunLedger,
    private readonly payloads: WebhookPayloads,
    private readonly database: Database,
    private readonly processId: ProcessId,
    private readonly clock: ScheduleClock,
    private readonly settings: Settings,
  ) {}

  /**
   * Makes the start of a schedule that is due, or notes why there is none. What was due before it is missed.
   * @param schedule as it was read, with a `nextAt` that is not later than `now`
   * @throws when the database cannot serve, or what was to be run changes in this moment: then it is still due
   */
  async makeDue(schedule: ScheduleEntity, now: Date): Promise<void> {
    const { nextAt } = schedule;
    if (nextAt === null) return;
    const timetable = Timetable.stored(schedule.cron, schedule.timeZone);
    const { newest, missed, areMore } = await timetable.dueAt(nextAt, now);
    const next = timetable.after(now);
    const isTooLate = now.getTime() - newest.getTime() > this.settings.maxStartDelayMs;
    const lost = isTooLate ? [...missed, newest] : missed;
    const [first] = lost;
    if (first !== undefined) {
      const lastMissed = areMore ? timetable.before(newest) : missed.at(-1);
      const until = isTooLate ? newest : (lastMissed ?? first);
      const count = { atLeast: lost.length, areMore };
      if (!(await this.miss(schedule, { first, until, count }, isTooLate ? next : newest))) return;
    }
    if (isTooLate) return;
    await this.make({ schedule: { ...schedule, nextAt: newest }, dueAt: newest, next });
  }

  /**
   * Starts the run of a schedule by request; what is due by time stays as it is.
   * @param remember is written with the run
   * @throws BadRequestException, NotFoundException, ConflictException while its run before is still going
   */
  async makeNow(schedule: ScheduleEntity, remember: WriteWith<StartRunAnswer>): Promise<StartRunAnswer> {
    const plan = await this.plans.make(requestOf(schedule), randomUUID());
    const start = startOf(schedule, await this.clock.now(), plan, true);
    const store = () =>
      this.ledger.create(
        plan.run,
        (tx) => remember(tx, plan.answer),
        async (tx) => {
          if (!(await this.starts.hold(tx, schedule.id))) throw new NotFoundException('Schedule not found');
          await this.refuseOverlap(tx, schedule, plan);
          await this.starts.note(tx, start);
        },
      );
    try {
      await this.beginnings.begin(store);
    } catch (error) {
      if (!(error instanceof StillGoing)) throw error;
      throw new ConflictException(
        `The run ${error.label} of this schedule is still going: wait until it has ended, cancel it, or set overlap to "allow".`,
      );
    }
    return plan.answer;
  }

  private async make(due: Due): Promise<void> {
    const { schedule } = due;
    // Looked at again once the schedule is held; here, so that a run that is still going needs no plan.
    const going = schedule.overlap === 'skip' ? await this.starts.underWay(schedule.id) : null;
    if (going !== null) return this.skip(due, going);
    const plan = await this.planOf(due);
    if (plan === null) return;
    try {
      await this.beginnings.begin(() => this.ledger.create(plan.run, ALONE, (tx) => this.claim(tx, due, plan)));
    } catch (error) {
      if (error instanceof StartTaken) return;
      if (error instanceof StillGoing) return this.skip(due, error.label);
      if (!(error instanceof StartNoted)) throw error;
      await this.database.transaction((tx) => this.starts.moveOn(tx, schedule, due.next));
    }
  }

  /** Null when there can be no run: its start has failed then. */
  private async planOf(due: Due): Promise<PlannedRun | null> {
    const { schedule, dueAt } = due;
    try {
      return await this.plans.make(requestOf(schedule), runIdOf(schedule.id, dueAt));
    } catch (error) {
      if (!(error instanceof HttpException)) throw error;
      await this.fail(due, notStartedSentence(error.message));
      return null;
    }
  }

  /** Before the run is stored, in the same transaction: another process waits for it here. @throws StartTaken, StartNoted, StillGoing: then nothing is stored */
  private async claim(tx: Queryable, { schedule, dueAt, next }: Due, plan: PlannedRun): Promise<void> {
    if (!(await this.starts.moveOn(tx, schedule, next))) {
      if (await this.starts.isStoredBy(tx, plan.run.id, this.processId.value)) return;
      throw new StartTaken();
    }
    await this.refuseOverlap(tx, schedule, plan);
    if (!(await this.starts.note(tx, startOf(schedule, dueAt, plan, false)))) throw new StartNoted();
    await addAuditRecords(tx, [startedByTime(schedule.id, plan)]);
  }

  /** The schedule is held by this transaction. @throws StillGoing */
  private async refuseOverlap(tx: Queryable, { id, overlap }: ScheduleEntity, { run }: PlannedRun): Promise<void> {
    const going = overlap === 'skip' ? await this.starts.underWay(id, tx, run.id) : null;
    if (going !== null) throw new StillGoing(going);
  }

  private async skip({ schedule, dueAt, next }: Due, label: string): Promise<void> {
    const sentence = stillGoingSentence(label);
    await this.database.transaction(async (tx) => {
      if (!(await this.starts.moveOn(tx, schedule, next))) return;
      await this.starts.note(tx, { ...unmade(schedule, dueAt), outcome: 'skipped', sentence });
    });
  }

  private async fail({ schedule, dueAt, next }: Due, sentence: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (!(await this.starts.moveOn(tx, schedule, next))) return;
      const isNew = await this.starts.note(tx, { ...unmade(schedule, dueAt), outcome: 'failed', sentence });
      if (isNew) await noteDeliveries(tx, this.payloads.ofFailedStart(schedule, dueAt, sentence), null);
    });
  }

  /** False when another process has noted it. */
  private async miss(
    schedule: ScheduleEntity,
    { first, until, count }: MissedStarts,
    next: Date | null,
  ): Promise<boolean> {
    const delayMs = this.settings.maxStartDelayMs;
    const sentence = missedSentence({ first, until, ...count, timeZone: schedule.timeZone, delayMs });
    return this.database.transaction(async (tx) => {
      if (!(await this.starts.moveOn(tx, schedule, next))) return false;
      await this.starts.note(tx, {
        ...unmade(schedule, first),
        outcome: 'missed',
        sentence,
        missed: { count: count.atLeast, until },
      });
      return true;
    });
  }
}

interface MissedStarts {
  readonly first: Date;
  /** When the last of them was due. */
  readonly until: Date;
  readonly count: { readonly atLeast: number; readonly areMore: boolean };
}

/** What start-run would be told. A run without a name of its own has that of the schedule. @throws BadRequestException */
function requestOf({ name, run }: ScheduleEntity): AskedRun {
  const read = recurringRunRequest.safeParse({ ...run, name: run.name ?? name });
  if (!read.success) {
    throw new BadRequestException('run: it was stored by another version of the service, and this one cannot read it');
  }
  return read.data;
}

function startOf({ id, gate }: ScheduleEntity, dueAt: Date, { run }: PlannedRun, isManual: boolean): NewStart {
  return { scheduleId: id, dueAt, isManual, outcome: 'started', sentence: null, testRunId: run.id, gate };
}

function unmade({ id }: ScheduleEntity, dueAt: Date): Omit<NewStart, 'outcome' | 'sentence'> {
  return { scheduleId: id, dueAt, isManual: false, testRunId: null, gate: null };
}

/** The same for every process: a UUID of version 8 (RFC 9562) from the schedule and the time. */
function runIdOf(scheduleId: string, dueAt: Date): string {
  const bytes = createHash('sha256').update(`${scheduleId} ${dueAt.toISOString()}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Beside the starts that people ask for. What cannot be recorded is not started. */
function startedByTime(scheduleId: string, { run }: PlannedRun): AuditDraft {
  return {
    who: 'the service',
    role: 'schedule',
    address: null,
    method: 'POST',
    route: '/api/v1/schedules/{id}/run',
    resource: 'schedules',
    resource_ids: [scheduleId, run.id, run.test_run_id],
    fields: [],
    request_id: null,
    // As a request for it is answered.
    status: 200,
  };
}
