import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Bus, BusError } from '../../engine/bus/bus';
import { subjects } from '../../engine/bus/subjects';
import { Log } from '../../platform/config/log';
import { actorBrief, actorSnapshot, type ActorBrief, type ActorSnapshot } from './inspection-messages';

/** A live process answers within milliseconds; one that is paused or cut off is not waited for. */
const ANSWER_WITHIN_MS = 1_000;

/** What a process said; null when it did not answer. */
export type Said<Answer> = { readonly answer: Answer } | null;

const briefs = z.array(actorBrief);
const snapshot = actorSnapshot.nullable();

/** Asks the processes about their actors, this one like any other. */
@Injectable()
export class ProcessInquiry {
  constructor(
    private readonly bus: Bus,
    private readonly log: Log,
  ) {}

  /** The states of the process's actors; those that it does not have (any more) are missing. */
  briefs(processId: string, ids: readonly string[]): Promise<Said<readonly ActorBrief[]>> {
    return this.ask(subjects.inspectActors(processId), ids, briefs);
  }

  /** Everything about one actor of the process; null when it does not have it (any more). */
  snapshot(processId: string, id: string): Promise<Said<ActorSnapshot | null>> {
    return this.ask(subjects.inspectActor(processId), [id], snapshot);
  }

  private async ask<Answer>(subject: string, ids: readonly string[], schema: z.ZodType<Answer>): Promise<Said<Answer>> {
    try {
      const reply = await this.bus.request(subject, { ids }, { timeoutMs: ANSWER_WITHIN_MS });
      return { answer: schema.parse(reply) };
    } catch (error) {
      const isSilent = error instanceof BusError && error.reason !== 'responder_failed';
      if (!isSilent) this.log.warn('A process answered an inspection with something else', { error });
      return null;
    }
  }
}
