import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Test } from '@nestjs/testing';
import { Bus, subjects } from '../../src/engine/bus/bus';
import { BusModule } from '../../src/engine/bus/bus.module';
import { ConfigModule } from '../../src/platform/config/config.module';
import { silentLog } from '../../src/platform/config/log';
import { settingsFrom } from '../../src/platform/config/settings';
import { ErrorFilter } from '../../src/platform/http/error.filter';
import { RequestValidationPipe } from '../../src/platform/http/validation.pipe';
import { Database } from '../../src/platform/database/database';
import { CommittedEvents } from '../../src/engine/ledger/run-log';
import { JudgeModule } from '../../src/examiners/judge/judge.module';
import { MetricsModule } from '../../src/platform/telemetry/metrics/metrics.module';
import { ModelModule } from '../../src/examiners/model/model.module';
import { EgressModule } from '../../src/platform/egress/egress.module';
import { TargetsModule } from '../../src/platform/targets/targets.module';
import { TesterModule } from '../../src/examiners/tester/tester.module';
import { StoresModule } from '../../src/stores.module';
import { outageSentence } from '../../src/platform/database/postgres-errors';
import { type EventNotice, EventPipeline, StreamTimes } from '../../src/features/stream/event-pipeline';
import { EventStreams } from '../../src/features/stream/event-streams';
import { StreamModule } from '../../src/features/stream/stream.module';
import { writtenRuns } from './written-runs';

export interface StreamServiceOptions {
  readonly times?: Partial<StreamTimes>;
  /** Instead of a bus of its own. */
  readonly bus?: Bus;
}

/** The part of the service that streams events, on a real socket, and runs written by the real event writer. */
export async function startStreamService(databaseUrl: string, options: StreamServiceOptions = {}) {
  const settings = settingsFrom({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: '5' });
  let building = Test.createTestingModule({
    imports: [
      ConfigModule.with(settings, silentLog),
      MetricsModule,
      StoresModule,
      BusModule,
      EgressModule,
      TargetsModule,
      ModelModule,
      TesterModule,
      JudgeModule,
      StreamModule,
    ],
  })
    .overrideProvider(StreamTimes)
    .useValue({ ...new StreamTimes(), ...options.times });
  if (options.bus) building = building.overrideProvider(Bus).useValue(options.bus);
  const app = (await building.compile()).createNestApplication({ forceCloseConnections: true, logger: false });
  app.useGlobalFilters(new ErrorFilter(silentLog, outageSentence));
  app.useGlobalPipes(new RequestValidationPipe());
  const server = app.getHttpServer() as Server;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await app.listen(0, '127.0.0.1');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const database = app.get(Database);
  const bus = app.get(Bus);
  let closing: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    events: (runId: string) => `http://127.0.0.1:${port}/events?run_id=${runId}`,
    database,
    bus,
    sockets,
    streams: app.get(EventStreams),
    pipeline: app.get(EventPipeline),
    committed: app.get(CommittedEvents),
    close: () => (closing ??= app.close()),

    ...writtenRuns(database),

    publish(...notices: EventNotice[]): void {
      for (const notice of notices) bus.publish(subjects.testRunEvent(notice.run_id), notice);
    },
  };
}
export type StreamService = Awaited<ReturnType<typeof startStreamService>>;
