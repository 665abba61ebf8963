import {
  Global,
  Injectable,
  Module,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Log } from '../config/log';
import { Database } from '../database/database';
import type { JobKind } from './job-kind';
import { JobRows } from './job-rows';
import { JobWorker } from './job-worker';
import { UpkeepTask, type Upkeep } from './upkeep';

/** What this process does without being asked: jobs, and upkeep. Each is declared in the constructor of the class that knows how it is done. */
@Injectable()
export class Jobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly declared: (JobWorker | UpkeepTask)[] = [];

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  add(kind: JobKind): void {
    const rows = new JobRows(this.database.engine, kind.table, kind.leaseMs);
    this.declared.push(new JobWorker(kind, rows, this.log));
  }

  addUpkeep(upkeep: Upkeep): void {
    this.declared.push(new UpkeepTask(upkeep, this.database, this.log));
  }

  onApplicationBootstrap(): void {
    for (const one of this.declared) one.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.declared.map((one) => one.stop()));
  }
}

@Global()
@Module({ providers: [Jobs], exports: [Jobs] })
export class JobsModule {}
