import { isNativeError } from 'node:util/types';
import pc from 'picocolors';
import pino, { type Logger } from 'pino';
import { sentenceWithin, Needle } from '../../domain';

export type LogFields = Readonly<Record<string, unknown>>;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Port: what the service reports to its operator. Messages are constant strings, everything that varies is a field; an Error
 * goes under `error`. Transcript text and secrets are never logged (values under secret-looking keys are replaced anyway).
 */
export abstract class Log {
  abstract debug(message: string, fields?: LogFields): void;
  abstract info(message: string, fields?: LogFields): void;
  abstract warn(message: string, fields?: LogFields): void;
  abstract error(message: string, fields?: LogFields): void;
  /** A log that adds these fields to every line. */
  abstract child(fields: LogFields): Log;
}

/** Where lines go; the default is standard output. */
export interface LineSink {
  write(line: string): void;
}

/** JSON lines, or one readable line per message when standard output is a terminal. */
export function createLog(
  level: LogLevel,
  sink: LineSink = process.stdout.isTTY ? terminalSink : pino.destination(1),
): Log {
  return new PinoLog(
    pino(
      {
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        serializers: { error: serializeError },
        redact: { paths: SECRET_PATHS, censor: '[redacted]' },
      },
      sink,
    ),
  );
}

class PinoLog extends Log {
  constructor(private readonly logger: Logger) {
    super();
  }

  debug(message: string, fields: LogFields = {}): void {
    this.logger.debug(fields, message);
  }

  info(message: string, fields: LogFields = {}): void {
    this.logger.info(fields, message);
  }

  warn(message: string, fields: LogFields = {}): void {
    this.logger.warn(fields, message);
  }

  error(message: string, fields: LogFields = {}): void {
    this.logger.error(fields, message);
  }

  child(fields: LogFields): Log {
    return new PinoLog(this.logger.child(fields));
  }
}

const SECRET_KEYS = [
  'api_key',
  'apiKey',
  'api_secret',
  'apiSecret',
  'authorization',
  'Authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'access_token',
  'storage_state',
  'transport_api_key',
  'transport_api_secret',
  '["x-api-key"]',
];

/** Looked for at the top and up to two levels down. */
const SECRET_PATHS = SECRET_KEYS.flatMap((key) => {
  const step = key.startsWith('[') ? key : `.${key}`;
  return [key, `*${step}`, `*.*${step}`];
});

const LONGEST_STACK = 8_000;
/** Errors below errors. */
const DEEPEST_CAUSE = 8;

/** Name, message, code and stack only: database errors carry the statement's values in other properties. */
function serializeError(error: unknown): unknown {
  return errorDocument(error, 0);
}

function errorDocument(error: unknown, depth: number): unknown {
  if (typeof error === 'string') return sentenceWithin(error);
  if (!isNativeError(error)) return error;
  const { name: type, stack } = error;
  const message = sentenceWithin(error.message);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const cause = error.cause === undefined || depth >= DEEPEST_CAUSE ? undefined : errorDocument(error.cause, depth + 1);
  return { type, message, code, stack: stack && boundedStack(stack, error.message, message), cause };
}

/** A stack begins with the whole message, unless that was changed later. */
function boundedStack(stack: string, whole: string, bounded: string): string {
  const at = new Needle(whole).indexIn(stack);
  const short = at < 0 ? stack : stack.slice(0, at) + bounded + stack.slice(at + whole.length);
  return sentenceWithin(short, LONGEST_STACK);
}

const LEVEL_COLORS: Readonly<Record<string, (text: string) => string>> = {
  debug: pc.gray,
  info: pc.cyan,
  warn: pc.yellow,
  error: pc.red,
};

const terminalSink: LineSink = {
  write: (line) => {
    process.stdout.write(toReadableLine(line));
  },
};

function toReadableLine(line: string): string {
  const { level, time, msg, error, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const label = String(level);
  const color = LEVEL_COLORS[label] ?? String;
  const details = Object.entries(fields).map(([key, value]) => pc.dim(` ${key}=${JSON.stringify(value)}`));
  const stack = isRecord(error) ? `\n${String(error['stack'] ?? error['message'])}` : '';
  return `${pc.dim(String(time).slice(11, 19))} ${color(label.padEnd(5))} ${String(msg)}${details.join('')}${stack}\n`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Says nothing. */
export const silentLog: Log = createLog('silent', { write: () => undefined });
