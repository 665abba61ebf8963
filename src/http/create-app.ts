import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../app.module';
import type { Log } from '../config/log';
import type { Settings } from '../config/settings';
import { builtPageFolder } from '../web/built-page';
import { servePage } from '../web/serve-page';
import { ApiKeys, requireApiKey } from './api-key';
import { ErrorFilter } from './error.filter';
import { refuseForeignPages } from './foreign-page';
import { jsonBody } from './json-body';
import { answerMalformedRequests } from './malformed-request';
import { NestLog } from './nest-log';
import { serveApiDescription } from './openapi';
import { OwnHosts, requireOwnHost } from './own-host';
import { limitRequests } from './rate-limit';
import { logRequests } from './request-log';
import { securityHeaders } from './security-headers';
import { RequestValidationPipe } from './validation.pipe';

/** Longer than the 60 s after which common proxies give up a connection they keep: they close it, never we under them. */
const KEEP_ALIVE_MS = 75_000;

/**
 * The service, ready to listen and not listening yet. Tests build the same one.
 * @param pageFolder the built page; null when there is none
 * @throws DatabaseStartError and what else a part cannot start without
 */
export async function createApp(
  settings: Settings,
  log: Log,
  pageFolder: string | null = builtPageFolder(),
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(settings, log), {
    logger: new NestLog(log),
    bodyParser: false,
    // A start that fails is told by the caller, in one sentence.
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  const keys = new ApiKeys(settings.serviceApiKeys);
  app.use(securityHeaders());
  if (settings.logLevel === 'debug') app.use(logRequests(log));
  const hosts = new OwnHosts(settings);
  app.use(requireOwnHost(hosts, settings.serviceApiKeys.length > 0), refuseForeignPages(hosts));
  app.use(servePage(pageFolder));
  if (settings.rateLimitPerMinute !== null) app.use(limitRequests(settings.rateLimitPerMinute, keys));
  app.use(requireApiKey(keys), ...jsonBody());
  app.useGlobalFilters(new ErrorFilter(log));
  app.useGlobalPipes(new RequestValidationPipe());
  serveApiDescription(app);
  const server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  answerMalformedRequests(server);
  return app;
}
