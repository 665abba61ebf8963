import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sentenceWithin } from '../../domain';
import { Log } from '../config/log';
import { requestIdOf, requestLog } from './request-log';

interface Answer {
  readonly status: number;
  readonly error: string;
}

/** The request's id once more, by the name that clients of a 500 have looked for it. */
const ERROR_ID_HEADER = 'X-Error-Id';
const RETRY_AFTER_SECONDS = '5';

/**
 * What a client reads of an error that says nothing about its request, only that something the service depends on cannot serve
 * now; null for any other error. The code that assembles the service knows what it depends on.
 */
export type DescribeOutage = (error: unknown) => string | null;

/** Hears of every error that becomes an answer. */
export type OnRefused = (request: Request, status: number) => void;

/** Every error of every path leaves as `{ "error": string }`; stacks, SQL and unknown messages stay in the log. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly log: Log,
    private readonly describeOutage: DescribeOutage,
    private readonly onRefused: OnRefused = () => undefined,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const answer = this.answerTo(exception, request, response);
    this.onRefused(request, answer.status);
    if (response.headersSent) {
      // Half of the answer has been sent: only a broken connection shows the client that it is incomplete.
      response.destroy();
      return;
    }
    response.status(answer.status).json({ error: sentenceWithin(answer.error) });
  }

  private answerTo(exception: unknown, request: Request, response: Response): Answer {
    if (exception instanceof HttpException) return { status: exception.getStatus(), error: sentenceOf(exception) };
    const refusal = refusalOf(exception);
    if (refusal !== null) return refusal;
    const fields = { method: request.method, path: request.path, error: exception };
    const log = requestLog(this.log, request);
    const outage = this.describeOutage(exception);
    if (outage !== null) {
      log.warn('Request refused: the service cannot serve it now', fields);
      setHeader(response, 'Retry-After', RETRY_AFTER_SECONDS);
      return { status: 503, error: outage };
    }
    log.error('Request failed', fields);
    setHeader(response, ERROR_ID_HEADER, requestIdOf(request));
    return { status: 500, error: 'Internal server error' };
  }
}

function setHeader(response: Response, name: string, value: string): void {
  if (!response.headersSent) response.setHeader(name, value);
}

/** Nest's own exceptions carry their sentence in `message`, as text or as a list. */
function sentenceOf(exception: HttpException): string {
  const body = exception.getResponse();
  if (typeof body === 'string') return body;
  if ('error' in body && typeof body.error === 'string' && !('message' in body)) return body.error;
  if ('message' in body && Array.isArray(body.message)) return body.message.join('; ');
  return exception.message;
}

/** What Express rejected before any route saw the request, such as a path that cannot be decoded. */
function refusalOf(exception: unknown): Answer | null {
  if (!(exception instanceof Error) || !('status' in exception) || typeof exception.status !== 'number') return null;
  const { status, message } = exception;
  return status >= 400 && status <= 499 ? { status, error: message } : null;
}
