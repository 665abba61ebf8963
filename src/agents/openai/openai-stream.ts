import { z } from 'zod';
import { ownTurn } from '../../platform/concurrency';
import { parseJson } from '../agent-json';
import { DONE } from '../last-event';
import type { HttpResponse } from '../outbound/agent-http-call';
import { jsonOf, unexpectedAnswer } from '../outbound/http-refusal';
import type { Secrets } from '../secrets/secrets';
import { dataIn, isStream } from '../stream-data';

/** The part of a chunk that the harness reads. */
const Chunk = z.object({
  id: z.string().nullish().catch(null),
  model: z.string().nullish().catch(null),
  choices: z.array(
    z.object({
      error: z.unknown().optional(),
      delta: z
        .object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(z.unknown()).nullish().catch(null),
        })
        .nullish(),
      finish_reason: z.string().nullish().catch(null),
    }),
  ),
  usage: z.unknown().optional(),
});

/** Chunks after which other work gets a turn: many small pieces are as much work as a large one. */
const CHUNKS_A_TURN = 500;

/**
 * The JSON of an answer. Servers that stream although nobody asked them to answer in chunks of a completion, which are put together to
 * the completion that they stand for (https://platform.openai.com/docs/api-reference/chat-streaming); an error among them is answered as
 * it came.
 * @throws ProviderError `provider_error` when the answer is neither
 */
export async function completionIn(response: HttpResponse, secrets: Secrets): Promise<unknown> {
  const events = isStream(response) ? dataIn(response) : [];
  if (events.length === 0) return jsonOf(response, secrets);
  const whole = new WholeCompletion();
  for (const [at, { data, event }] of events.entries()) {
    if (data.trim() === DONE) break;
    await ownTurn(at % CHUNKS_A_TURN === CHUNKS_A_TURN - 1 ? Number.MAX_SAFE_INTEGER : data.length);
    const json = chunkJson(data);
    if (json === undefined) throw unexpectedAnswer(response, secrets);
    const { data: chunk } = Chunk.safeParse(json);
    if (event === 'error' || chunk === undefined) return json;
    whole.add(chunk);
  }
  return whole.json;
}

/** Undefined when it is none. */
function chunkJson(data: string): unknown {
  try {
    return parseJson(data);
  } catch {
    return undefined;
  }
}

class WholeCompletion {
  private readonly content: string[] = [];
  private readonly refusal: string[] = [];
  /** Calls come in pieces: whoever reads them joins those. Null until a chunk says something of calls. */
  private calls: unknown[] | null = null;
  private last: Omit<z.infer<typeof Chunk>, 'choices'> = {};
  private finish: { readonly finish_reason?: string | null; readonly error?: unknown } = {};

  add({ choices, ...rest }: z.infer<typeof Chunk>): void {
    this.last = { ...this.last, ...told(rest) };
    const [choice] = choices;
    if (choice === undefined) return;
    const { delta, ...ending } = choice;
    this.finish = { ...this.finish, ...told(ending) };
    if (delta?.content) this.content.push(delta.content);
    if (delta?.refusal) this.refusal.push(delta.refusal);
    if (delta?.tool_calls !== undefined) (this.calls ??= []).push(...(delta.tool_calls ?? []));
  }

  get json(): unknown {
    const message = {
      content: this.content.length === 0 ? null : this.content.join(''),
      refusal: this.refusal.length === 0 ? null : this.refusal.join(''),
      ...(this.calls === null ? {} : { tool_calls: this.calls }),
    };
    return { ...this.last, choices: [{ message, ...this.finish }] };
  }
}

/** Later chunks leave out what earlier ones told. */
function told<Fields extends object>(fields: Fields): Partial<Fields> {
  const given: Partial<Fields> = { ...fields };
  for (const name of Object.keys(fields) as (keyof Fields)[]) {
    if (given[name] === null || given[name] === undefined) delete given[name];
  }
  return given;
}
