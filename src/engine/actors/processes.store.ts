import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database';
import type { BusName } from '../bus/bus.module';
import { LEASE_SECONDS } from '../ledger/lease';
import type { ExaminerDocument } from '../ledger/run-examiners.store';

/** A tester or judge of a process, and the name that a run asks for it by; null is the one that is set up. */
export interface OfferedExaminer extends ExaminerDocument {
  readonly asked: string | null;
}

export interface ServiceProcess {
  readonly id: string;
  readonly bus: BusName;
  readonly testers: readonly OfferedExaminer[];
  readonly judges: readonly OfferedExaminer[];
}

/** All that a process needs to have; what is left out may be anything. */
export interface WantedExaminers {
  readonly testers: readonly Partial<OfferedExaminer>[];
  readonly judges: readonly Partial<OfferedExaminer>[];
}

/** Two processes are side by side for so long while one takes the other's place, which needs no bus between them. */
const TAKING_OVER_SECONDS = 30;

/** The processes that are at work on this database. All times are the database's. */
@Injectable()
export class ProcessesStore {
  constructor(private readonly database: Database) {}

  /**
   * Says that the process lives. Answers how many others do that it cannot hear, because one of the two has its bus to itself, or another one. A
   * process that was killed before this one started never counts, nor one that ends while this one takes its place.
   */
  async beat({ id, bus, testers, judges }: ServiceProcess): Promise<number> {
    const [row] = await this.database.engine.query<{ unheard: number }>(
      `WITH me AS (
         INSERT INTO processes AS p (id, bus, testers, judges) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE SET seen_at = now() RETURNING p.started_at
       ), forgotten AS (
         DELETE FROM processes WHERE seen_at < now() - interval '1 day' AND id <> $1
       )
       SELECT count(*)::int AS unheard FROM processes other CROSS JOIN me
       WHERE other.id <> $1 AND ('in_process' IN (other.bus, $2) OR other.bus <> $2) AND other.seen_at > now() - make_interval(secs => $5)
         AND other.seen_at > me.started_at + make_interval(secs => $6)`,
      [id, bus, JSON.stringify(testers), JSON.stringify(judges), LEASE_SECONDS, TAKING_OVER_SECONDS],
    );
    return row?.unheard ?? 0;
  }

  /** Notes that the process stops. */
  async remove(id: string): Promise<void> {
    await this.database.engine.query('DELETE FROM processes WHERE id = $1', [id]);
  }

  /** Whether a process that lives has all of these. */
  async anyHas({ testers, judges }: WantedExaminers): Promise<boolean> {
    const [row] = await this.database.engine.query<{ there: boolean }>(
      `SELECT EXISTS (SELECT FROM processes WHERE testers @> $1::jsonb AND judges @> $2::jsonb
         AND seen_at > now() - make_interval(secs => $3)) AS there`,
      [JSON.stringify(testers), JSON.stringify(judges), LEASE_SECONDS],
    );
    return row?.there ?? false;
  }
}
