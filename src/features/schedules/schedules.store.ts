import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, type Repository } from 'typeorm';
import {
  ADVISORY_LOCKS,
  Database,
  findOptions,
  insertRows,
  isUuid,
  sqlStateOf,
  statementsOf,
  updateRow,
  type Part,
  type WriteWith,
} from '../../platform/database';
import { ScheduleEntity } from './schedule.entity';

export type NewSchedule = Readonly<
  Pick<ScheduleEntity, 'name' | 'run' | 'cron' | 'timeZone' | 'gate' | 'overlap' | 'isEnabled' | 'nextAt'>
>;

export type ScheduleChanges = Partial<NewSchedule>;

/** No further schedule may be created: their limit is reached. */
export class TooManySchedules extends Error {
  override readonly name = 'TooManySchedules';

  constructor(readonly most: number) {
    super(`There are ${most} schedules already.`);
  }
}

/** Another schedule has the name. */
export class ScheduleNameTaken extends Error {
  override readonly name = 'ScheduleNameTaken';
}

const UNIQUE_VIOLATION = '23505';

/** Schedules as they were made and changed. An id that is not a UUID is an id that no schedule has. */
@Injectable()
export class SchedulesStore {
  constructor(private readonly database: Database) {}

  /** By name: all of them, or a part of the list. */
  list(part?: Part): Promise<ScheduleEntity[]> {
    return this.schedules.find({ order: { name: 'ASC', id: 'ASC' }, ...findOptions(part) });
  }

  count(): Promise<number> {
    return this.schedules.count();
  }

  async find(id: string): Promise<ScheduleEntity | null> {
    return isUuid(id) ? this.schedules.findOneBy({ id }) : null;
  }

  /** At most so many of those whose next start is due, the longest overdue first. */
  due(now: Date, most: number): Promise<ScheduleEntity[]> {
    return this.schedules.find({
      where: { nextAt: LessThanOrEqual(now) },
      order: { nextAt: 'ASC', id: 'ASC' },
      take: most,
    });
  }

  /** @throws TooManySchedules, ScheduleNameTaken */
  create(schedule: NewSchedule, most: number, also: WriteWith<ScheduleEntity>): Promise<ScheduleEntity> {
    return refusingTakenNames(
      this.database.dataSource.transaction(async (manager) => {
        await manager.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.schedules]);
        if ((await manager.count(ScheduleEntity)) >= most) throw new TooManySchedules(most);
        const id = randomUUID();
        await insertRows(manager, ScheduleEntity, [{ ...schedule, id }]);
        const stored = await manager.findOneByOrFail(ScheduleEntity, { id });
        await also(statementsOf(manager), stored);
        return stored;
      }),
    );
  }

  /**
   * The row as changed; null when unknown.
   * @param changesOf what is to change of the row as it is; what it throws leaves it so
   * @throws ScheduleNameTaken
   */
  async update(id: string, changesOf: (stored: ScheduleEntity) => ScheduleChanges): Promise<ScheduleEntity | null> {
    if (!isUuid(id)) return null;
    return refusingTakenNames(
      this.database.dataSource.transaction(async (manager) => {
        const stored = await manager.findOne(ScheduleEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
        if (stored === null) return null;
        await updateRow(manager, ScheduleEntity, id, { ...changesOf(stored), revision: stored.revision + 1 });
        return manager.findOneByOrFail(ScheduleEntity, { id });
      }),
    );
  }

  /** With its history; its runs stay. False when unknown. */
  async delete(id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { affected } = await this.schedules.delete({ id });
    return affected === 1;
  }

  private get schedules(): Repository<ScheduleEntity> {
    return this.database.dataSource.getRepository(ScheduleEntity);
  }
}

/** Names are the only values that have to differ. */
async function refusingTakenNames<Result>(stored: Promise<Result>): Promise<Result> {
  try {
    return await stored;
  } catch (error) {
    if (sqlStateOf(error) === UNIQUE_VIOLATION) throw new ScheduleNameTaken();
    throw error;
  }
}
