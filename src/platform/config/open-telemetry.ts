import type { Environment } from './environment';

/** What a deployment can set about traces. Where they go is read by OpenTelemetry's own library, like all its other variables. */
export interface TraceSettings {
  readonly isOn: boolean;
  /** Whether spans hold what patient and agent said. */
  readonly capturesContent: boolean;
  /** Variables of the library that may have been read from files. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export function traceSettingsOf(environment: Environment): TraceSettings {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TRACES_HEADERS } = environment;
  return {
    isOn: OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    capturesContent: environment.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TRACES_HEADERS },
  };
}

/** The library knows nothing of `NAME_FILE`: it finds in the environment what stood in the files. */
export function giveToOpenTelemetry({ variables }: TraceSettings, env: NodeJS.ProcessEnv = process.env): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined) env[name] = value;
  }
}
