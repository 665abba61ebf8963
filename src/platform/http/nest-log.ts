import type { LoggerService } from '@nestjs/common';
import type { Log } from '../config/log';

/** The context in which Nest logs a failed start; it throws the same error too, and the program that starts the service reports it once. */
const START_CONTEXTS = new Set(['ExceptionHandler', 'NestApplication']);

/** Nest's own messages, in our log. What Nest logs at start (routes, modules) matters only when debugging. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Log) {}

  log(message: unknown, ...details: unknown[]): void {
    this.logger.debug(String(message), fieldsOf(details));
  }

  debug(message: unknown, ...details: unknown[]): void {
    this.logger.debug(String(message), fieldsOf(details));
  }

  verbose(message: unknown, ...details: unknown[]): void {
    this.logger.debug(String(message), fieldsOf(details));
  }

  warn(message: unknown, ...details: unknown[]): void {
    this.logger.warn(String(message), fieldsOf(details));
  }

  error(message: unknown, ...details: unknown[]): void {
    const { context } = fieldsOf(details);
    if (context !== undefined && START_CONTEXTS.has(context)) return;
    if (message instanceof Error) this.logger.error('Nest reported an error', { ...fieldsOf(details), error: message });
    else this.logger.error(String(message), fieldsOf(details));
  }

  fatal(message: unknown, ...details: unknown[]): void {
    this.error(message, ...details);
  }
}

/** Nest's last argument is the context, the class that logs; an error's stack may come before it. */
function fieldsOf(details: readonly unknown[]): { context?: string; stack?: string } {
  const texts = details.filter((detail) => typeof detail === 'string');
  const context = texts.at(-1);
  const stack = texts.length > 1 ? texts[0] : undefined;
  return { ...(context !== undefined && { context }), ...(stack !== undefined && { stack }) };
}
