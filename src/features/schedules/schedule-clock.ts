import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database';

/** What time it is for schedules: the same for all processes of the service. */
export abstract class ScheduleClock {
  abstract now(): Promise<Date>;
}

/** PostgreSQL's clock, which all processes share. */
@Injectable()
export class DatabaseClock extends ScheduleClock {
  constructor(private readonly database: Database) {
    super();
  }

  async now(): Promise<Date> {
    const [row] = await this.database.query<{ now: Date }>('SELECT clock_timestamp()::timestamptz(3) AS now');
    if (row === undefined) throw new Error('PostgreSQL did not say what time it is.');
    return row.now;
  }
}
