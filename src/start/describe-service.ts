import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from '../app.module';
import { DatabaseClock } from '../features/schedules';
import { silentLog, isOnLoopback, settingsFrom, type Settings, VERSION } from '../platform/config';
import { DEMO_AGENT } from './create-app';
import { describeApi } from '../platform/http';

/** What a service says of its API at /docs/openapi.json, without starting one: nothing is connected to, nothing listens. */
export async function describeService(): Promise<OpenAPIObject> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(settingsFrom({}), silentLog, DEMO_AGENT, DatabaseClock),
    {
      preview: true,
      logger: false,
      abortOnError: false,
    },
  );
  return describeApi(app);
}

const EVERYWHERE = new Set(['0.0.0.0', '::']);

/** Where the service listens, and who can reach it where that may not be what was meant. */
export function addressSentences({ host, isGuarded, signIn }: Settings, port: number): string[] {
  const reachable = EVERYWHERE.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const url = `http://${reachable}:${port}`;
  const sentences = [
    `Agent OSCE ${VERSION} listens on ${url}; open it in a browser. Its API is described at ${url}/docs.`,
  ];
  const isLocal = isOnLoopback(host);
  if (isGuarded) {
    const who = signIn === null ? 'whoever has a key' : 'whoever has a key or can sign in';
    if (isLocal) sentences.push(`It is reached from this machine only; HOST=0.0.0.0 opens it to ${who}.`);
    return sentences;
  }
  sentences.push(
    isLocal
      ? 'No SERVICE_API_KEY is set, and it is reached from this machine only; set one before you open it to others.'
      : `WARNING: ALLOW_OPEN is set and no SERVICE_API_KEY, so everyone who can reach ${host}:${port} can read stored credentials; set one.`,
  );
  return sentences;
}

/** Says it where the service was started. */
export function announce(sentences: readonly string[]): void {
  for (const sentence of sentences) process.stdout.write(`${sentence}\n`);
}
