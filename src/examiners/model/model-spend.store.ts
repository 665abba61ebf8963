import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database';

/** What language models cost so far on the present UTC day. */
export interface SpentToday {
  readonly usd: number;
  /** The seconds until the next day begins, by the database's clock. */
  readonly secondsLeft: number;
}

/** What the examiners' language models cost, over all processes: one row a UTC day. Readers of lists never hold it up. */
@Injectable()
export class ModelSpendStore {
  constructor(private readonly database: Database) {}

  /** Adds to the present day. @throws the database's error; then nothing was added, or its answer was lost */
  async add(usd: number): Promise<void> {
    await this.database.engine.query(
      `INSERT INTO model_spend AS spend (day, usd) VALUES ((now() AT TIME ZONE 'UTC')::date, $1)
       ON CONFLICT (day) DO UPDATE SET usd = spend.usd + EXCLUDED.usd`,
      [usd],
    );
  }

  async today(): Promise<SpentToday> {
    const [row] = await this.database.engine.query<{ usd: number; seconds_left: number }>(
      `SELECT COALESCE((SELECT usd FROM model_spend WHERE day = utc.now::date), 0)::float8 AS usd,
              extract(epoch FROM date_trunc('day', utc.now) + interval '1 day' - utc.now)::float8 AS seconds_left
       FROM (SELECT now() AT TIME ZONE 'UTC' AS now) utc`,
    );
    return { usd: row?.usd ?? 0, secondsLeft: row?.seconds_left ?? 0 };
  }
}
