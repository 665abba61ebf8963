import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from '../app.module';
import { silentLog } from '../platform/config/log';
import { settingsFrom } from '../platform/config/settings';
import { describeApi } from '../platform/http/openapi';

/** What a service says of its API at /docs/openapi.json, without starting one: nothing is connected to, nothing listens. */
export async function describeService(): Promise<OpenAPIObject> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(settingsFrom({}), silentLog), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return describeApi(app);
}
