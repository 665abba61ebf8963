import { z } from 'zod';
import type { Json } from '../provider';
import { type RtviMessage, excerpt } from './rtvi-message';

/** Further calls in one reply are counted, but not listed. */
const MAX_LISTED = 50;
const MAX_TEXT = 1000;

const Call = z.object({
  tool_call_id: z.string().max(200).optional().catch(undefined),
  function_name: z.string().max(200).optional().catch(undefined),
  arguments: z.unknown().optional(),
  args: z.unknown().optional(),
  result: z.unknown().optional(),
  cancelled: z.boolean().optional().catch(undefined),
});

/**
 * The tools a bot uses while it answers. How much a bot reports of them is configured there: their ids at least, unless it
 * hides them altogether. An announcement (`started`) carries no id, so calls are counted as well as named.
 */
export class FunctionCalls {
  private announced = 0;
  private ended = 0;
  private readonly running = new Set<string>();
  private readonly listed = new Map<string, Record<string, Json>>();

  /** A call that was announced, or is running, has not ended. */
  get areOpen(): boolean {
    return this.running.size > 0 || this.announced > this.ended;
  }

  get count(): number {
    return Math.max(this.announced, this.ended);
  }

  /** The names of the calls that their bot reports by name, and that were not cancelled. */
  get names(): readonly string[] {
    return [...this.listed.values()].flatMap(({ name, cancelled }) =>
      typeof name === 'string' && cancelled !== true ? [name] : [],
    );
  }

  /** For metadata; arguments and results as JSON text, truncated. */
  get list(): readonly Json[] {
    return [...this.listed.values()];
  }

  /** Whether the message was about a call. */
  hear(message: RtviMessage): boolean {
    const call = Call.safeParse(message.data).data ?? { arguments: undefined, args: undefined, result: undefined };
    switch (message.type) {
      case 'llm-function-call-started':
        this.announced += 1;
        return true;
      case 'llm-function-call-in-progress':
        this.run(call);
        return true;
      // Bots before 0.0.102: the application reports the call, and nothing reports its end.
      case 'llm-function-call':
        this.note(call, { arguments: call.args });
        return true;
      case 'llm-function-call-stopped':
        this.end(call);
        return true;
      default:
        return false;
    }
  }

  private run(call: z.infer<typeof Call>): void {
    if (call.tool_call_id !== undefined && this.running.size < MAX_LISTED) this.running.add(call.tool_call_id);
    this.note(call, { arguments: call.arguments });
  }

  private end(call: z.infer<typeof Call>): void {
    this.ended += 1;
    // Without ids, only the counts show it.
    if (call.tool_call_id === undefined) this.running.clear();
    else this.running.delete(call.tool_call_id);
    this.announced = Math.max(this.announced, this.ended);
    this.note(call, { result: call.result, ...(call.cancelled === true ? { cancelled: true } : {}) });
  }

  private note({ tool_call_id, function_name }: z.infer<typeof Call>, facts: Readonly<Record<string, unknown>>): void {
    const key = tool_call_id ?? `call ${this.listed.size + 1}`;
    const known = this.listed.get(key);
    if (known === undefined && this.listed.size >= MAX_LISTED) return;
    const entry: Record<string, Json> = known ?? (tool_call_id === undefined ? {} : { id: excerpt(tool_call_id) });
    if (function_name !== undefined) entry['name'] = excerpt(function_name);
    for (const [name, value] of Object.entries(facts)) {
      if (typeof value === 'boolean') entry[name] = value;
      else if (value !== undefined && value !== null) {
        const text = excerpt(value, MAX_TEXT + 1);
        entry[name] = text.slice(0, MAX_TEXT).toWellFormed();
        if (text.length > MAX_TEXT) entry['truncated'] = true;
        if (text.length > MAX_TEXT && name === 'arguments') entry['arguments_cut'] = true;
      }
    }
    this.listed.set(key, entry);
  }
}
