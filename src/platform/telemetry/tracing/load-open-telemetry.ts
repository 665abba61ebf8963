import { createRequire } from 'node:module';
import type * as Sdk from '@opentelemetry/sdk-node';

export type OpenTelemetry = typeof Sdk;

const load: (name: string) => OpenTelemetry = createRequire(__filename);

/** OpenTelemetry's library, hundreds of files that a service without traces never reads. */
export function loadOpenTelemetry(): OpenTelemetry {
  return load('@opentelemetry/sdk-node');
}
