import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Test } from '@nestjs/testing';
import type { RunEvent, RunEventFields } from '../../src/domain/run-events';
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

    /** A running test run without events. */
    async createRun(id: string = randomUUID()): Promise<{ id: string; label: string }> {
      const label = `run_20260314092653_${id.slice(0, 8)}`;
      await database.query(
        `INSERT INTO test_runs (id, label, status, agent_id, agent_name, agent_provider, total_scenarios, max_turns,
           concurrency_limit, pass_threshold)
         VALUES ($1, $2, 'running', $1, 'Agent under test', 'openai', 1, 6, 6, 50)`,
        [id, label],
      );
      return { id, label };
    },

    /** Commits events of a run that refer to no turn. Nobody is told. */
    write: async (runId: string, ...fields: RunEventFields[]): Promise<RunEvent[]> => {
      const rows = await database.query<{ seq: number; at: Date }>(
        `WITH run AS (
           UPDATE test_runs SET last_seq = last_seq + json_array_length($2::json) WHERE id = $1 RETURNING last_seq
         )
         INSERT INTO run_log (test_run_id, seq, type, fields)
         SELECT $1, run.last_seq - json_array_length($2::json) + e.place, e.fields->>'type', e.fields
         FROM run, json_array_elements($2::json) WITH ORDINALITY AS e(fields, place)
         RETURNING seq::float8 AS seq, at`,
        [runId, JSON.stringify(fields)],
      );
      return rows.flatMap(({ seq, at }, place) => {
        const told = fields[place];
        return told === undefined ? [] : [{ ...told, run_id: runId, seq, at: at.toISOString() }];
      });
    },

    publish(...notices: EventNotice[]): void {
      for (const notice of notices) bus.publish(subjects.testRunEvent(notice.run_id), notice);
    },
  };
}
export type StreamService = Awaited<ReturnType<typeof startStreamService>>;

const scenarioRunId = '00000000-0000-4000-8000-000000000001';

export const started: RunEventFields = { type: 'test_run_started', total_scenarios: 1, scenarios_launched: 1 };

export const finished: RunEventFields = {
  type: 'test_run_complete',
  passed_count: 1,
  failed_count: 0,
  error_count: 0,
  canceled_count: 0,
  pass_rate: 100,
};

export function said(turn: number, agentMessage = `answer ${turn}`): RunEventFields {
  return {
    type: 'transcript_update',
    scenario_run_id: scenarioRunId,
    turn,
    patient_message: `question ${turn}`,
    agent_message: agentMessage,
    latency_ms: 1.5,
  };
}
