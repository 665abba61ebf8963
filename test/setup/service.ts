import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { silentLog, type Log } from '../../src/platform/config/log';
import type { ScheduleClock } from '../../src/features/schedules/schedule-clock';
import { settingsFrom } from '../../src/platform/config/settings';
import { createApp } from '../../src/start/create-app';
import { createTestDatabase, type TestDatabase } from './database';
import { findNatsBinaries, INSTALL_HINT, NatsServer } from './nats-server';
import { holdToDescription } from './promised-answers';

export interface TestService {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
  readonly app: NestExpressApplication;
  readonly database: TestDatabase;
  /** Stops the service; drops the database unless it was given. Idempotent. */
  close(): Promise<void>;
}

export interface TestServiceOptions {
  /** A database that several services share, or that outlives this one. */
  readonly database?: TestDatabase;
  readonly log?: Log;
  /** The built page; by default what `npm run build` made, if it did. */
  readonly pageFolder?: string;
  /** That the starts of schedules are due by; by default PostgreSQL's. */
  readonly scheduleClock?: Type<ScheduleClock>;
  /** Waits of the service that are shorter here. */
  readonly times?: readonly ShorterTimes[];
}

/** Sets times of a service: what waits already goes on to wait for as long as it was to. */
type ShorterTimes = (app: NestExpressApplication) => void;

/** Waits of one of the service's classes of times, such as `ActorTimes`; those that are not named stay as they are. */
export function shorter<Times extends object>(kind: Type<Times>, times: Partial<Times>): ShorterTimes {
  return (app) => void Object.assign(app.get(kind), times);
}

/**
 * The real service on a free port and a database of its own, with offline tester and judge. With TEST_BUS=nats it also has a
 * NATS server of its own instead of the bus inside the process; with TEST_SECRETS_KEY=on its database holds secrets encrypted.
 * @param variables environment variables as a user would set them
 */
export async function startTestService(
  variables: Readonly<Record<string, string>> = {},
  { database: given, log = silentLog, pageFolder, scheduleClock, times = [] }: TestServiceOptions = {},
): Promise<TestService> {
  const database = given ?? (await createTestDatabase());
  const nats = process.env['TEST_BUS'] === 'nats' ? await startNats() : null;
  const settings = settingsFrom({
    DATABASE_URL: database.url,
    ...(nats === null ? {} : { NATS_URL: nats.url }),
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...(process.env['TEST_SECRETS_KEY'] === 'on' && {
      SECRETS_KEY: Buffer.alloc(32, 'a key of tests').toString('base64'),
    }),
    ...variables,
  });
  const app = await createApp(settings, log, pageFolder, scheduleClock).catch(async (error: unknown) => {
    await nats?.close();
    throw error;
  });
  for (const shorten of times) shorten(app);
  await app.listen(settings.port, '127.0.0.1').catch(async (error: unknown) => {
    await app.close();
    await nats?.close();
    if (given === undefined) await database.drop();
    throw error;
  });
  holdToDescription(app);
  const { port } = app.getHttpServer().address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = async () => {
    app.getHttpServer().closeAllConnections();
    await app.close();
    await nats?.close();
    if (given === undefined) await database.drop();
  };
  return { url: `http://127.0.0.1:${port}`, app, database, close: () => (closing ??= close()) };
}

function startNats(): Promise<NatsServer> {
  const newest = findNatsBinaries().at(-1);
  if (newest === undefined) throw new Error(`There is no nats-server: ${INSTALL_HINT}.`);
  return NatsServer.start(newest);
}
