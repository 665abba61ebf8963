import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { CommandFailure } from '../failure';
import { changeAsRead, type Change, type Tagged } from './change-as-read';
import type { Call, HttpClient } from './http-client';

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
  async ask<T>(call: Call, shape: z.ZodType<T>): Promise<T> {
    return (await this.askTagged(call, shape)).item;
  }

  delete(path: string): Promise<void> {
    return this.http.call({ method: 'DELETE', path }, async (response) => {
      await response.arrayBuffer();
    });
  }

  protected get<T>(path: string, shape: z.ZodType<T>): Promise<T> {
    return this.ask({ method: 'GET', path }, shape);
  }

  protected send<T>(method: 'PUT', path: string, body: object, shape: z.ZodType<T>): Promise<T> {
    return this.ask({ method, path, body }, shape);
  }

  /** Takes effect once, even when the answer is lost and the call is sent again. */
  protected make<T>(path: string, body: object, shape: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
    const call: Call = { method: 'POST', path, body, idempotencyKey: randomUUID() };
    return this.ask({ ...call, ...(signal && { signal }) }, shape);
  }

  protected change<T extends object>(
    path: string,
    shape: z.ZodType<T>,
    change: Omit<Change<T>, 'read' | 'patch'>,
  ): Promise<T> {
    const read = (): Promise<Tagged<T>> => this.askTagged({ method: 'GET', path }, shape);
    const patch = (etag: string | null): Promise<T> => {
      const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag };
      return this.ask({ method: 'PATCH', path, body: change.fields, headers }, shape);
    };
    return changeAsRead({ ...change, read, patch });
  }

  protected askTagged<T>(call: Call, shape: z.ZodType<T>): Promise<Tagged<T> & { readonly isReplayed: boolean }> {
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
