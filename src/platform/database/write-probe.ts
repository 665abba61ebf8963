/**
 * Writes as the service's own work does: a row, and with it the log that has to be on the disk before a commit is answered.
 * Both may find room in files that are there already, so half a megabyte is spilled into a temporary file too: on a
 * full disk that fails, and it leaves nothing behind. One implicit transaction, one round trip.
 */
const WRITE = `
  SELECT set_config('statement_timeout', '1500', true), set_config('work_mem', '64kB', true);
  WITH filler AS MATERIALIZED (SELECT repeat('x', 8192) AS page FROM generate_series(1, 64))
  SELECT count(*) FROM filler WHERE length(page) > 0;
  INSERT INTO write_probe (written_at) VALUES (clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at;`;

/** A success is believed for so long: health is asked often, and by many. */
const FRESH_MS = 5_000;
const FAILURE_FRESH_MS = 1_000;

interface Outcome {
  readonly written: Promise<unknown>;
  /** `performance.now()` until which it counts; while it is under way it always does. */
  validUntil: number;
}

/** Whether PostgreSQL really takes writes, asked at most every few seconds, and never twice at a time. */
export class WriteProbe {
  private latest: Outcome | null = null;

  constructor(private readonly run: (sql: string) => Promise<unknown>) {}

  /** @throws the database's error, again for a second after it was seen */
  async check(): Promise<void> {
    if (this.latest === null || this.latest.validUntil < performance.now()) this.latest = this.write();
    await this.latest.written;
  }

  private write(): Outcome {
    const written = this.run(WRITE);
    const outcome: Outcome = { written, validUntil: Infinity };
    written.then(
      () => (outcome.validUntil = performance.now() + FRESH_MS),
      () => (outcome.validUntil = performance.now() + FAILURE_FRESH_MS),
    );
    return outcome;
  }
}
