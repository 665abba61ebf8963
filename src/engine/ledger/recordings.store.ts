import { Injectable } from '@nestjs/common';
import { Slots } from '../../platform/concurrency';
import { Database } from '../../platform/database';
import type { TrackPiece } from '../audio/recording-pieces';
import type { AttemptRef } from './scenario-run.changes';

/** Pieces written at a time: none of them is waited for, and a disk that is full or a lock holds up no more connections. */
const AT_A_TIME = 2;

/** Keeps what is said in spoken conversations, while they go on. The engine's own connections are for what is short. */
@Injectable()
export class RecordingPieces {
  private readonly slots = new Slots(AT_A_TIME);

  constructor(private readonly database: Database) {}

  /**
   * Keeps a piece; the same piece again changes nothing.
   * @returns false when the attempt is stale or the scenario run final
   */
  async keep(
    { scenarioRunId, attempt, owner }: AttemptRef,
    { track, firstSample, samples, sha256, bytes }: TrackPiece,
  ): Promise<boolean> {
    const release = await this.slots.take();
    try {
      const rows = await this.database.query(
        `INSERT INTO recording_pieces (scenario_run_id, attempt, track, first_sample, samples, sha256, bytes)
       SELECT id, attempt, $4, $5, $6, $7, $8 FROM scenario_runs
       WHERE id = $1 AND attempt = $2 AND owner = $3 AND status IN ('running', 'grading')
       ON CONFLICT (scenario_run_id, attempt, track, first_sample) DO UPDATE SET sha256 = EXCLUDED.sha256
       RETURNING attempt`,
        [scenarioRunId, attempt, owner, track, firstSample, samples, sha256, Buffer.from(bytes)],
      );
      return rows.length > 0;
    } finally {
      release();
    }
  }
}
