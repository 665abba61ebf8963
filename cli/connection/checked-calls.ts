import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { addressOf, type AnswerTo, type Given, type OperationName } from '../../contract/call';
import { CommandFailure } from '../failure';
import { changeAsRead, type Change, type Tagged } from './change-as-read';
import type { Call, HttpClient } from './http-client';

/** What a call gives beside the name of its operation: parameters, a body that the service checks, and how it is made. */
export type Asked<Name extends OperationName> = Omit<Given<Name>, 'body'> &
  Omit<Call, 'method' | 'path'> & { readonly body?: object | undefined };

/**
 * A schema for the part of an answer that the command needs. It is lenient, since the service may be older or newer than the command:
 * other fields are kept, an enum is text, what may be null may be missing. The compiler refuses one that demands what the contract does not promise.
 */
export type ReaderOf<Name extends OperationName, Shape extends z.ZodType> = Shape &
  (AnswerTo<Name> extends z.input<Shape>
    ? unknown
    : { readonly 'demands what the contract does not promise': AnswerTo<Name> });

/**
 * Calls whose answers are checked against a schema. Each throws RefusedFailure when it is refused, UnreachableFailure when there
 * is no answer, CommandFailure when the answer is not Agent OSCE's, and the client's reason when it is aborted.
 */
export class CheckedCalls {
  constructor(readonly http: HttpClient) {}

  get url(): string {
    return this.http.connection.url;
  }

  /** Makes one call and checks its answer. */
  async ask<Name extends OperationName, Shape extends z.ZodType>(
    name: Name,
    asked: Asked<Name>,
    shape: ReaderOf<Name, Shape>,
  ): Promise<z.output<Shape>> {
    return (await this.askTagged(name, asked, shape)).item;
  }

  /** For a call without an answer. */
  tell<Name extends OperationName>(name: Name, asked: Asked<Name>): Promise<void> {
    return this.http.call(callOf(name, asked), async (response) => {
      await response.arrayBuffer();
    });
  }

  /** Takes effect once, even when the answer is lost and the call is sent again. */
  make<Name extends OperationName, Shape extends z.ZodType>(
    name: Name,
    asked: Asked<Name>,
    shape: ReaderOf<Name, Shape>,
  ): Promise<z.output<Shape>> {
    return this.ask<Name, Shape>(name, { ...asked, idempotencyKey: randomUUID() }, shape);
  }

  /** A change of a resource that is read by `reads` and changed by `patches`, both with the same parameters. */
  protected change<Reads extends OperationName, Patches extends OperationName, Shape extends z.ZodType<object>>(
    [reads, patches]: readonly [Reads, Patches],
    path: Given<Reads>['path'] & Given<Patches>['path'],
    shape: ReaderOf<Reads, Shape> & ReaderOf<Patches, Shape>,
    change: Omit<Change<z.output<Shape>>, 'read' | 'patch'>,
  ): Promise<z.output<Shape>> {
    return changeAsRead<z.output<Shape>>({
      ...change,
      read: () => this.checked(addressOf(reads, { path }), shape),
      patch: async (etag) => {
        const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag };
        return (await this.checked({ ...addressOf(patches, { path }), body: change.fields, headers }, shape)).item;
      },
    });
  }

  protected askTagged<Name extends OperationName, Shape extends z.ZodType>(
    name: Name,
    asked: Asked<Name>,
    shape: ReaderOf<Name, Shape>,
  ): Promise<Tagged<z.output<Shape>> & { readonly isReplayed: boolean }> {
    return this.checked(callOf(name, asked), shape);
  }

  private checked<Shape extends z.ZodType>(
    call: Call,
    shape: Shape,
  ): Promise<Tagged<z.output<Shape>> & { readonly isReplayed: boolean }> {
    return this.http.call(call, async (response) => {
      const text = await response.text();
      let answer: unknown;
      try {
        answer = JSON.parse(text);
      } catch {
        throw this.strange(call);
      }
      const parsed = shape.safeParse(answer);
      if (!parsed.success) throw this.strange(call);
      return {
        item: parsed.data,
        etag: response.headers.get('etag'),
        isReplayed: response.headers.get('idempotency-replayed') === 'true',
      };
    });
  }

  private strange({ method, path }: Call): CommandFailure {
    const where = path.replace(/\?.*/, '');
    return new CommandFailure(
      `${method} ${where} did not get an answer in Agent OSCE's format: is ${this.url} its base address, and is the service of this version?`,
    );
  }
}

/** The call of an operation. */
export function callOf<Name extends OperationName>(name: Name, { path, query, ...others }: Asked<Name>): Call {
  return { ...others, ...addressOf(name, { path, query }) };
}
