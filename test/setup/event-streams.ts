import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { HttpException } from '@nestjs/common';
import express from 'express';
import { followRun } from '../../contract/events';
import { subjects, type Bus } from '../../src/engine/bus/bus';
import { InProcessBus } from '../../src/engine/bus/in-process.bus';
import { CommittedEvents } from '../../src/engine/ledger/run-log';
import { ModelSpend } from '../../src/examiners/model/model-spend';
import { ModelSpendStore } from '../../src/examiners/model/model-spend.store';
import { TextThreads } from '../../src/examiners/threads/text-threads';
import { ClusterCountsStore } from '../../src/features/runs/cluster-counts.store';
import { RunSummaries } from '../../src/features/runs/run-summaries';
import { ShownMarks } from '../../src/features/shown-marks/shown-marks';
import { ShownMarksStore } from '../../src/features/shown-marks/shown-marks.store';
import { SettledRates } from '../../src/features/statistics/settled-rates';
import { EventLogStore } from '../../src/features/stream/event-log.store';
import { EventPipeline, StreamTimes, type EventNotice } from '../../src/features/stream/event-pipeline';
import { EventStreams } from '../../src/features/stream/event-streams';
import { EventsController } from '../../src/features/stream/events.controller';
import { LogHeads, LogPageReader } from '../../src/features/stream/log-page-reader';
import { StreamSlots } from '../../src/features/stream/stream-slots';
import { ANYONE, identify, type Caller } from '../../src/platform/access/caller';
import { createLog, type Log } from '../../src/platform/config/log';
import { settingsFrom } from '../../src/platform/config/settings';
import { silentMetrics, type Metrics } from '../../src/platform/telemetry/metrics/metrics';
import { EventClient } from './event-client';
import { offlineExaminers } from './offline-examiner-selection';
import type { StoredRuns } from './stored-run';
import { writtenRuns } from './written-runs';

export interface EventStreamsOptions {
  readonly times?: Partial<StreamTimes>;
  readonly bus?: Bus;
  readonly log?: Log;
  readonly metrics?: Metrics;
  readonly eventLog?: EventLogStore;
  readonly marks?: ShownMarksStore;
  readonly caller?: Caller;
  readonly maxStreams?: number;
}

/** Polls so rarely that only what is heard on the bus can bring an event. */
export const BY_NOTICE_ALONE: Partial<StreamTimes> = { pollMs: 600_000 };
/** Polls so often that nothing has to be heard. */
export const BY_POLLS: Partial<StreamTimes> = { pollMs: 5 };

/** What streams the events of stored runs, and a server that has its controller answer, without the rest of the service. */
export async function openEventStreams(
  { database, reads }: StoredRuns,
  {
    times,
    bus = new InProcessBus(),
    log = createLog('error', { write: (line) => void process.stderr.write(line) }),
    metrics = silentMetrics,
    eventLog = new EventLogStore(database),
    marks = new ShownMarksStore(database),
    caller = ANYONE,
    maxStreams = 100,
  }: EventStreamsOptions = {},
) {
  const threads = new TextThreads();
  const { testers, judges } = offlineExaminers(threads);
  const settings = settingsFrom({ MAX_EVENT_STREAMS: String(maxStreams) });
  const spend = new ModelSpend(settings, new ModelSpendStore(database), log);
  const rates = new SettledRates(new ClusterCountsStore(database));
  const summaries = new RunSummaries(reads, rates, spend, testers, judges);
  const committed = new CommittedEvents();
  const heads = new LogHeads(eventLog);
  const pages = new LogPageReader(eventLog);
  const allTimes = { ...new StreamTimes(), ...times };
  const pipeline = new EventPipeline(committed, bus, heads, pages, log, allTimes, metrics);
  const streams = new EventStreams(pipeline, summaries, allTimes);
  const slots = new StreamSlots(settings);
  const controller = new EventsController(streams, summaries, heads, slots, new ShownMarks(marks));
  pipeline.onModuleInit();
  streams.onModuleInit();

  const app = express();
  app.get('/events', (request, response) => {
    identify(request, caller);
    controller
      .events(followRun.query.parse(request.query), request, response)
      .catch((error: unknown) =>
        response
          .status(error instanceof HttpException ? error.getStatus() : 500)
          .json({ error: error instanceof Error ? error.message : null }),
      );
  });
  const server = createServer(app);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const urlOf = (runId: string, query = ''): string => `http://127.0.0.1:${port}/events?run_id=${runId}${query}`;
  const clients: EventClient[] = [];
  return {
    ...writtenRuns(database),
    database,
    bus,
    committed,
    pipeline,
    streams,
    slots,
    urlOf,

    /** A client that reads, until it is paused. */
    connect: async (runId: string, lastEventId?: string | number, query = ''): Promise<EventClient> => {
      const headers = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) };
      const client = await EventClient.open(urlOf(runId, query), headers);
      clients.push(client);
      return client;
    },

    /** Bytes that wait in this process for clients to take them. */
    held: (): number => [...sockets].reduce((sum, { writableLength }) => sum + writableLength, 0),

    publish: (...notices: readonly EventNotice[]): void => {
      for (const notice of notices) bus.publish(subjects.testRunEvent(notice.run_id), notice);
    },

    close: async (): Promise<void> => {
      for (const client of clients) client.close();
      streams.beforeApplicationShutdown();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      pipeline.onApplicationShutdown();
      await bus.close();
      threads.onApplicationShutdown();
    },
  };
}
export type OpenEventStreams = Awaited<ReturnType<typeof openEventStreams>>;

/** Opens streams of events for the tests of one file; each test's end with it. */
export function eventStreamsOf(runs: () => StoredRuns): (options?: EventStreamsOptions) => Promise<OpenEventStreams> {
  const opened: OpenEventStreams[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  return async (options) => {
    const one = await openEventStreams(runs(), options);
    opened.push(one);
    return one;
  };
}
