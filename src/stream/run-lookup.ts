import { Injectable } from '@nestjs/common';
import { EventLogStore, type LogHead } from '../persistence/event-log.store';
import { SharedRead } from '../persistence/shared-read';
import type { TestRunRecord } from '../persistence/test-run.row';
import { TestRunsStore } from '../persistence/test-runs.store';

/** Looks up runs for many subscribers at a time: a thousand that arrive at once cost a few queries. */
@Injectable()
export class RunLookup {
  private readonly runs: SharedRead<string, TestRunRecord | null>;
  private readonly logHeads: SharedRead<string, LogHead | null>;

  constructor(testRuns: TestRunsStore, log: EventLogStore) {
    this.runs = sharedRead((idsOrLabels) => testRuns.findMany(idsOrLabels));
    this.logHeads = sharedRead((ids) => log.heads(ids));
  }

  /** The run with this UUID or label and its counts; null when there is none. */
  find(idOrLabel: string): Promise<TestRunRecord | null> {
    return this.runs.load(idOrLabel);
  }

  /** Where the log of the run with this UUID ends; null when there is no such run. */
  head(testRunId: string): Promise<LogHead | null> {
    return this.logHeads.load(testRunId);
  }
}

function sharedRead<Found>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): SharedRead<string, Found | null> {
  return new SharedRead(async (keys) => {
    const found = await read(keys);
    return keys.map((key) => found.get(key) ?? null);
  });
}
