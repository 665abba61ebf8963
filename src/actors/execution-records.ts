import { Injectable } from '@nestjs/common';
import { Database } from '../persistence/database';
import { ScenarioRunsStore, type ExecutionRecord } from '../persistence/scenario-runs.store';
import { SharedRead } from '../persistence/shared-read';

/**
 * What claimed scenario runs are executed from. Those claimed together are loaded together; one that cannot be read takes
 * no other with it.
 */
@Injectable()
export class ExecutionRecords {
  private readonly reads = new SharedRead<string, ExecutionRecord | null>((ids) => this.read(ids));

  constructor(
    private readonly scenarioRuns: ScenarioRunsStore,
    private readonly database: Database,
  ) {}

  /** Null when the scenario run is gone. @throws the database's error, or what is wrong with the row */
  load(scenarioRunId: string): Promise<ExecutionRecord | null> {
    return this.reads.load(scenarioRunId);
  }

  private async read(ids: readonly string[]): Promise<readonly (ExecutionRecord | null | Error)[]> {
    try {
      const found = await this.scenarioRuns.loadExecutions(ids);
      return ids.map((id) => found.get(id) ?? null);
    } catch (error) {
      if (ids.length === 1 || this.database.isUnavailable(error)) throw error;
    }
    const alone: (ExecutionRecord | null | Error)[] = [];
    for (const id of ids) alone.push(await this.read([id]).then(([one]) => one ?? null, asError));
    return alone;
  }
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error('A scenario run could not be read.', { cause });
}
