import { createHash, createHmac, randomUUID } from 'node:crypto';
import {
  ConflictException,
  Injectable,
  NotFoundException,
  UnprocessableEntityException,
  type OnApplicationBootstrap,
  BadRequestException,
} from '@nestjs/common';
import type { Response, Request } from 'express';
import { canonicalHash } from '../../domain/fingerprint';
import { callerOf } from '../access/caller';
import { Log } from '../config/log';
import { ADVISORY_LOCKS } from '../database/advisory-locks';
import { ALONE, type WriteWith } from '../database/connections';
import { Database } from '../database/database';
import { requestLog } from '../http/request-log';
import { Jobs } from '../jobs/jobs';
import { IdempotencyKeysStore, KeyLost, RENEW_LEASE_MS, type KeyClaim } from './idempotency-keys.store';

const LONGEST = 255;
/** Visible ASCII but for what would end or escape the quoted form. */
const KEY = /^[!#-[\]-~]+$/;

/**
 * The Idempotency-Key of a request; null when it has none. The header's draft standard (draft-ietf-httpapi-idempotency-key-header)
 * writes it in quotation marks, most clients without.
 * @throws BadRequestException
 */
function idempotencyKeyOf({ headers }: Request): string | null {
  const header = headers['idempotency-key'];
  if (header === undefined) return null;
  const written = Array.isArray(header) ? header.join(', ') : header.trim();
  const quoted = written.length > 1 && written.startsWith('"') && written.endsWith('"');
  const key = quoted ? written.slice(1, -1) : written;
  if (key.length > LONGEST || !KEY.test(key)) {
    throw new BadRequestException(
      `Idempotency-Key: must be one key of 1 to ${LONGEST} visible ASCII characters without quotation marks, backslashes and spaces, such as a UUID`,
    );
  }
  return key;
}

/** The answer to a request that makes something. */
export interface Answered<View> {
  readonly view: View;
  readonly etag?: string;
}

/** What was made, for answers that hold secrets: those are built anew from the row. */
export interface MadeRow {
  readonly id: string;
}

/** Makes what was asked for, and has `remember` written in the transaction that does. */
export type Make<Kept, View> = (remember: WriteWith<Kept>) => Promise<Answered<View>>;

const UNDER_WAY = 'A request with this Idempotency-Key is under way: send it again in a second to get its answer.';
const OTHER_REQUEST =
  'This Idempotency-Key was sent with another request in the last 24 hours: a new request needs a new key.';
const GONE = 'What this Idempotency-Key made was deleted meanwhile: to make it again, send a new key.';
const RETRY_AFTER_SECONDS = '1';
const FORGET_EVERY_MS = 60_000;

/** Lets requests that carry an Idempotency-Key make what they ask for once, however often and wherever they arrive. */
@Injectable()
export class OncePerKey implements OnApplicationBootstrap {
  constructor(
    private readonly keys: IdempotencyKeysStore,
    private readonly database: Database,
    private readonly log: Log,
    jobs: Jobs,
  ) {
    jobs.addUpkeep({
      name: 'forget old idempotency keys',
      everyMs: FORGET_EVERY_MS,
      lock: ADVISORY_LOCKS.idempotencyKeys,
      round: (inPieces) => inPieces((tx) => keys.forgetOld(tx)),
    });
  }

  /**
   * Answers a request that makes something, or repeats the answer that it was given.
   * @param operation which endpoint this is: the same key with another one is refused
   * @param request the body, as it was understood
   * @param about the ids of what an answer tells of: it is not repeated once one of them was deleted
   * @throws what `make` throws; BadRequestException, ConflictException while the same request is under way,
   *   UnprocessableEntityException when the key was sent with another request
   */
  answer<View>(
    response: Response,
    operation: string,
    request: object,
    make: Make<Answered<View>, View>,
    about: (view: View) => readonly string[],
  ): Promise<View> {
    return this.run(
      response,
      operation,
      request,
      make,
      (kept) => Promise.resolve(kept),
      ({ view }) => about(view),
    );
  }

  /** The same for answers that hold secrets. None of it is kept but the id; a repeated request is answered with the row as it is by then. */
  answerFromRow<View>(
    response: Response,
    operation: string,
    request: object,
    make: Make<MadeRow, View>,
    find: (id: string) => Promise<Answered<View>>,
  ): Promise<View> {
    return this.run(
      response,
      operation,
      request,
      make,
      ({ id }) =>
        find(id).catch((error: unknown) => {
          throw error instanceof NotFoundException ? new ConflictException(GONE) : error;
        }),
      ({ id }) => [id],
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    // No other process can be using this database: what a killed one had under way need not wait for its lease to expire.
    if (this.database.exclusive) await this.keys.releaseAll();
  }

  private async run<Kept extends object, View>(
    response: Response,
    operation: string,
    request: object,
    make: Make<Kept, View>,
    repeat: (kept: Kept) => Promise<Answered<View>>,
    about: (kept: Kept) => readonly string[],
  ): Promise<View> {
    const key = idempotencyKeyOf(response.req);
    if (key === null) return send(response, await make(ALONE));
    const claim = this.claimOf(key, response, operation, request);
    const known = await this.keys.claim<Kept>(claim);
    switch (known.kind) {
      case 'claimed':
        return send(response, await this.make(claim, make, about, requestLog(this.log, response.req)));
      case 'answered':
        response.setHeader('Idempotency-Replayed', 'true');
        return send(response, await repeat(known.answer));
      case 'gone':
        throw new ConflictException(GONE);
      case 'otherRequest':
        throw new UnprocessableEntityException(OTHER_REQUEST);
      case 'underWay':
        response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
        throw new ConflictException(UNDER_WAY);
    }
  }

  private async make<Kept extends object, View>(
    claim: KeyClaim,
    make: Make<Kept, View>,
    about: (kept: Kept) => readonly string[],
    log: Log,
  ): Promise<Answered<View>> {
    const renewing = setInterval(() => {
      this.keys.renew(claim).catch((error: unknown) => log.warn('An idempotency key was not renewed', { error }));
    }, RENEW_LEASE_MS);
    renewing.unref();
    try {
      return await make((tx, kept) => this.keys.answer(tx, claim, kept, about(kept)));
    } catch (error) {
      // Nothing was made, so nothing has to be answered the same: what stood in the way may be gone by the next try.
      await this.keys.release(claim).catch((failure: unknown) => {
        log.warn('An idempotency key was not released; it is free when its lease ends', { error: failure });
      });
      throw error instanceof KeyLost ? new ConflictException(UNDER_WAY) : error;
    } finally {
      clearInterval(renewing);
    }
  }

  /** Only hashes are stored. That of the request is keyed with the client's key: no reader of the table can test guesses of a secret. */
  private claimOf(key: string, { req }: Response, operation: string, request: object): KeyClaim {
    return {
      keyHash: createHash('sha256')
        .update(`${callerOf(req).id}\n${key}`)
        .digest(),
      requestHash: createHmac('sha256', key)
        .update(`${operation}\n${canonicalHash(request)}`)
        .digest(),
      claim: randomUUID(),
    };
  }
}

function send<View>(response: Response, { view, etag }: Answered<View>): View {
  if (etag !== undefined) response.setHeader('ETag', etag);
  return view;
}
