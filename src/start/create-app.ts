import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../app.module';
import { RecordedRefusals } from '../features/audit';
import { SigningIn } from '../features/sign-in';
import { KeyHolders, SessionHolders } from '../platform/access';
import type { Log, Settings } from '../platform/config';
import {
  ApiKeys,
  recognizeCaller,
  requireCaller,
  MetricsToken,
  limitRequests,
  type Recognition,
  ErrorFilter,
  serveDocsPage,
  serveApiDescription,
  refuseForeignPages,
  OwnHosts,
  requireOwnHost,
  jsonBody,
  answerMalformedRequests,
  NestLog,
  identifyRequests,
  logRequests,
  RoleGuard,
  securityHeaders,
  compressAnswers,
  cutOffStalled,
  RequestValidationPipe,
} from '../platform/http';
import { measureRequests, Metrics } from '../platform/telemetry';
import { outageSentence } from '../platform/database';
import { DatabaseClock, type ScheduleClock } from '../features/schedules';
import { SCHEMA_FILE, libraryFolder, type TrialAgent } from '../features/scenarios';
import { DEMO_AGENT_NAME } from '../demo/demo-agent';
import { replyTo } from '../demo/dialogue';
import { builtPageFolder, servePage } from '../platform/page';

/** Scenarios are tried against it. */
export const DEMO_AGENT: TrialAgent = { name: DEMO_AGENT_NAME, reply: replyTo };

/** Longer than the 60 s after which common proxies give up a connection they keep: so the proxy closes it first, never we. */
const KEEP_ALIVE_MS = 75_000;

/**
 * The service, ready to listen but not listening yet. Tests build the same one.
 * @param pageFolder the built page; null when there is none
 * @param scheduleClock that the starts of schedules are due by
 * @throws DatabaseStartError and the start errors of other parts
 */
export async function createApp(
  settings: Settings,
  log: Log,
  pageFolder: string | null = builtPageFolder(),
  scheduleClock: Type<ScheduleClock> = DatabaseClock,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(settings, log, DEMO_AGENT, scheduleClock),
    {
      logger: new NestLog(log),
      bodyParser: false,
      // The caller reports a failed start, in one sentence.
      abortOnError: false,
    },
  );
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  const hosts = new OwnHosts(settings);
  const recognition: Recognition = {
    isGuarded: settings.isGuarded,
    keys: new ApiKeys(settings.serviceKeys),
    holders: app.get(KeyHolders),
    sessions: app.get(SessionHolders),
    hosts,
    metricsToken: new MetricsToken(settings.metricsToken),
  };
  app.use(identifyRequests(), securityHeaders(), cutOffStalled());
  if (settings.metrics) app.use(measureRequests(app.get(Metrics)));
  if (settings.logLevel === 'debug') app.use(logRequests(log));
  app.use(compressAnswers());
  app.use(requireOwnHost(hosts, settings.isGuarded), refuseForeignPages(hosts));
  app.use(
    servePage(pageFolder),
    serveDocsPage(new Map([[`/docs/${SCHEMA_FILE}`, join(libraryFolder(), SCHEMA_FILE)]])),
  );
  app.use(recognizeCaller(recognition));
  if (settings.rateLimitPerMinute !== null) app.use(limitRequests(settings.rateLimitPerMinute, recognition));
  app.use(app.get(SigningIn).pages, requireCaller(recognition), ...jsonBody());
  const refusals = app.get(RecordedRefusals);
  app.useGlobalFilters(new ErrorFilter(log, outageSentence, (request, status) => refusals.record(request, status)));
  app.useGlobalGuards(new RoleGuard(app.get(Reflector)));
  app.useGlobalPipes(new RequestValidationPipe());
  serveApiDescription(app);
  const server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  answerMalformedRequests(server);
  return app;
}
