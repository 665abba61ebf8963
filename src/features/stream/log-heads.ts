import { Injectable } from '@nestjs/common';
import { EventLogStore, type LogHead } from './event-log.store';
import { SharedRead } from '../../platform/database/shared-read';

/** Where the logs of runs end, for many subscribers at a time: a thousand that arrive at once cost a few queries. */
@Injectable()
export class LogHeads {
  private readonly heads: SharedRead<string, LogHead | null>;

  constructor(log: EventLogStore) {
    this.heads = new SharedRead(async (ids) => {
      const found = await log.heads(ids);
      return ids.map((id) => found.get(id) ?? null);
    });
  }

  /** Of the run with this UUID; null when there is no such run. */
  of(testRunId: string): Promise<LogHead | null> {
    return this.heads.load(testRunId);
  }
}
