import { Injectable, Optional } from '@nestjs/common';
import { Log, Settings } from '../../platform/config';
import { ADVISORY_LOCKS } from '../../platform/database';
import { Jobs, type InPieces, type Upkeep } from '../../platform/jobs';
import { Metrics, silentMetrics } from '../../platform/telemetry';
import { deleteOldPieces, pruneConversation } from '../speech/kept-recordings';

/** Deletes recordings that have been kept for RECORDINGS_DAYS, and of runs that have ended what KEEP_RECORDINGS does not keep. */
@Injectable()
export class RecordingRetention {
  readonly upkeep: Upkeep = {
    name: 'delete recordings',
    everyMs: 60_000,
    lock: ADVISORY_LOCKS.recordings,
    round: (inPieces) =>
      this.round(inPieces).catch((error: unknown) => {
        this.metrics.count('osce_retention_failures_total', {});
        throw error;
      }),
  };

  constructor(
    jobs: Jobs,
    private readonly settings: Settings,
    private readonly log: Log,
    @Optional() private readonly metrics: Metrics = silentMetrics,
  ) {
    jobs.addUpkeep(this.upkeep);
  }

  private async round(inPieces: InPieces): Promise<void> {
    const { recordingsDays: days, keepRecordings } = this.settings;
    let pieces = 0;
    const counted = (deleted: number): void => {
      pieces += deleted;
      this.metrics.count('osce_retention_deleted_total', { what: 'recording_piece' }, deleted);
    };
    try {
      if (days !== null) await inPieces((tx) => deleteOldPieces(tx, days), counted);
      if (keepRecordings !== 'all') await inPieces((tx) => pruneConversation(tx, keepRecordings), counted);
    } finally {
      if (pieces > 0) this.log.info('Recordings were deleted', { pieces, recordingsDays: days, keepRecordings });
    }
  }
}
