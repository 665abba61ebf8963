import { BadRequestException, ConflictException, HttpException, Injectable, NotFoundException } from '@nestjs/common';
import { Settings } from '../../platform/config';
import type { WriteWith } from '../../platform/database';
import { firstPartsOf, requireMatch, totalOf, withSecondPart, type Tagged } from '../../platform/http';
import { RunPlans } from '../runs/run-plans';
import { RunSummaries } from '../runs/run-summaries';
import { TestRunsStore } from '../runs/test-runs.store';
import { ScheduleStartsStore } from './schedule-starts.store';
import { ScheduledStarts } from './scheduled-starts';
import { ScheduleClock } from './schedule-clock';
import type { ScheduleEntity } from './schedule.entity';
import { detailOfSchedule, etagOfSchedule, startWithRun, viewOfSchedule } from './schedule.views';
import { ScheduleNameTaken, SchedulesStore, TooManySchedules, type ScheduleChanges } from './schedules.store';
import { Timetable, TimetableError } from './timetable';
import type { Page } from '../../../contract/page';
import type {
  CreateScheduleRequest,
  GateView,
  ScheduleDetail,
  ScheduleList,
  SchedulePreview,
  StartList,
  UpdateScheduleRequest,
} from '../../../contract/schedules';
import type { RecurringRun, StartRunAnswer } from '../../../contract/start-run';

const NEXT_STARTS = 3;

/** Schedules, as clients make, change, read and run them. */
@Injectable()
export class SchedulesService {
  constructor(
    private readonly schedules: SchedulesStore,
    private readonly starts: ScheduleStartsStore,
    private readonly making: ScheduledStarts,
    private readonly plans: RunPlans,
    private readonly testRuns: TestRunsStore,
    private readonly summaries: RunSummaries,
    private readonly clock: ScheduleClock,
    private readonly settings: Settings,
  ) {}

  /** A page of them, by name. */
  async list(page: Page): Promise<ScheduleList> {
    const found = await this.schedules.list(page);
    const [total, newest] = await Promise.all([
      totalOf(page, found.length, () => this.schedules.count()),
      this.starts.newestOf(found.map(({ id }) => id)),
    ]);
    return { schedules: found.map((schedule) => viewOfSchedule(schedule, newest.get(schedule.id) ?? null)), total };
  }

  /** @throws NotFoundException */
  async find(id: string): Promise<Tagged<ScheduleDetail>> {
    const schedule = existing(await this.schedules.find(id));
    const view = await this.detailOf(schedule);
    return { view, etag: withSecondPart(etagOfSchedule(schedule), view) };
  }

  /**
   * @param remember is written with it
   * @throws BadRequestException, ConflictException when its name is taken, or there are as many as may be
   */
  async create(
    { name, run, cron, time_zone, gate, overlap, is_enabled }: CreateScheduleRequest,
    remember: WriteWith<Tagged<ScheduleDetail>>,
  ): Promise<Tagged<ScheduleDetail>> {
    const now = await this.clock.now();
    const timetable = this.read(cron, time_zone, now);
    await this.checkRun(run);
    const schedule = {
      ...{ name, cron, timeZone: time_zone, overlap, isEnabled: is_enabled },
      run: storedRun(run),
      gate: storedGate(gate),
      nextAt: is_enabled ? timetable.after(now) : null,
    };
    const answerOf = (stored: ScheduleEntity) => taggedDetail(stored, timetable, now);
    const stored = this.schedules.create(schedule, this.settings.maxSchedules, (tx, made) =>
      remember(tx, answerOf(made)),
    );
    return answerOf(await refusing(stored, name));
  }

  /**
   * @param ifMatch the header
   * @throws NotFoundException, HttpException 412, BadRequestException, ConflictException when its name is taken
   */
  async update(id: string, request: UpdateScheduleRequest, ifMatch?: string): Promise<Tagged<ScheduleDetail>> {
    existing(await this.schedules.find(id));
    const now = await this.clock.now();
    if (request.run !== undefined) await this.checkRun(request.run);
    const changed = this.schedules.update(id, (stored) => {
      requireMatch(firstPartsOf(ifMatch), etagOfSchedule(stored), 'schedule');
      return this.changesOf(stored, request, now);
    });
    const schedule = existing(await refusing(changed, request.name ?? ''));
    return { view: await this.detailOf(schedule), etag: etagOfSchedule(schedule) };
  }

  /** @throws NotFoundException */
  async delete(id: string): Promise<void> {
    if (!(await this.schedules.delete(id))) throw notFound();
  }

  /**
   * @param remember is written with the run
   * @throws NotFoundException, BadRequestException, ConflictException while its run before is still going
   */
  async run(id: string, remember: WriteWith<StartRunAnswer>): Promise<StartRunAnswer> {
    return this.making.makeNow(existing(await this.schedules.find(id)), remember);
  }

  /** @throws NotFoundException */
  async listStarts(id: string, page: Page): Promise<StartList> {
    const schedule = existing(await this.schedules.find(id));
    const [starts, total] = await Promise.all([this.starts.list(schedule.id, page), this.starts.count(schedule.id)]);
    const runs = await this.testRuns.findMany(starts.flatMap(({ testRunId }) => testRunId ?? []));
    const summaries = new Map((await this.summaries.of([...runs.values()])).map((run) => [run.id, run]));
    return { starts: starts.map((start) => startWithRun(start, summaries.get(start.testRunId ?? '') ?? null)), total };
  }

  /** @throws BadRequestException */
  async preview(cron: string, timeZone: string): Promise<SchedulePreview> {
    const now = await this.clock.now();
    return {
      next_starts: this.read(cron, timeZone, now)
        .nextStarts(NEXT_STARTS, now)
        .map((start) => start.toISOString()),
    };
  }

  /** @throws BadRequestException */
  private changesOf(stored: ScheduleEntity, request: UpdateScheduleRequest, now: Date): ScheduleChanges {
    const { name, run, cron = stored.cron, time_zone = stored.timeZone, gate, overlap } = request;
    const isEnabled = request.is_enabled ?? stored.isEnabled;
    const isMoved = cron !== stored.cron || time_zone !== stored.timeZone;
    const timetable = isMoved ? this.read(cron, time_zone, now) : null;
    const isResumed = isEnabled && stored.nextAt === null;
    return {
      ...{ cron, timeZone: time_zone, isEnabled },
      ...(name !== undefined && { name }),
      ...(run !== undefined && { run: storedRun(run) }),
      ...(gate !== undefined && { gate: storedGate(gate) }),
      ...(overlap !== undefined && { overlap }),
      ...(!isEnabled && { nextAt: null }),
      ...(isEnabled &&
        (isMoved || isResumed) && {
          nextAt: (timetable ?? Timetable.stored(cron, time_zone)).after(now),
        }),
    };
  }

  /** @throws BadRequestException */
  private read(cron: string, timeZone: string, now: Date): Timetable {
    try {
      return Timetable.read(cron, timeZone, this.settings.minScheduleIntervalMs, now);
    } catch (error) {
      throw error instanceof TimetableError ? new BadRequestException(error.message) : error;
    }
  }

  /** @throws BadRequestException for what start-run would refuse */
  private async checkRun(run: CreateScheduleRequest['run']): Promise<void> {
    try {
      await this.plans.check(run);
    } catch (error) {
      throw error instanceof HttpException ? new BadRequestException(`run: ${error.message}`) : error;
    }
  }

  private async detailOf(schedule: ScheduleEntity): Promise<ScheduleDetail> {
    const [now, newest] = await Promise.all([this.clock.now(), this.starts.newestOf([schedule.id])]);
    return detailOfSchedule(schedule, newest.get(schedule.id) ?? null, nextStartsOf(schedule, now));
  }
}

function taggedDetail(schedule: ScheduleEntity, timetable: Timetable, now: Date): Tagged<ScheduleDetail> {
  const nextStarts = schedule.isEnabled ? timetable.nextStarts(NEXT_STARTS, now) : [];
  return { view: detailOfSchedule(schedule, null, nextStarts), etag: etagOfSchedule(schedule) };
}

/** Beginning with one that is due and about to be made. */
function nextStartsOf({ nextAt, cron, timeZone }: ScheduleEntity, now: Date): Date[] {
  if (nextAt === null) return [];
  const timetable = Timetable.stored(cron, timeZone);
  return nextAt > now
    ? timetable.nextStarts(NEXT_STARTS, now)
    : [nextAt, ...timetable.nextStarts(NEXT_STARTS - 1, now)];
}

/** Without what was left open. */
function storedRun({ scheduled_at: _, ...run }: CreateScheduleRequest['run']): RecurringRun {
  return run;
}

function storedGate(gate: CreateScheduleRequest['gate']): GateView | null {
  if (gate === null || gate === undefined) return null;
  return {
    fail_under: gate.fail_under ?? null,
    fail_on: gate.fail_on ?? null,
    min_coverage: gate.min_coverage ?? null,
  };
}

async function refusing<Result>(stored: Promise<Result>, name: string): Promise<Result> {
  try {
    return await stored;
  } catch (error) {
    if (error instanceof ScheduleNameTaken) {
      throw new ConflictException(
        `name: there is a schedule named ${JSON.stringify(name)} already: choose another name, or change that schedule.`,
      );
    }
    if (error instanceof TooManySchedules) {
      throw new ConflictException(
        `There are ${error.most} schedules, as many as MAX_SCHEDULES allows: delete one of them, or raise it.`,
      );
    }
    throw error;
  }
}

function existing(schedule: ScheduleEntity | null): ScheduleEntity {
  if (schedule === null) throw notFound();
  return schedule;
}

function notFound(): NotFoundException {
  return new NotFoundException('Schedule not found');
}
