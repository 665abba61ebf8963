import type { McpServer, ServerContext } from '@modelcontextprotocol/server' with { 'resolution-mode': 'import' };
import type { z } from 'zod';
import { HttpClient } from '../connection/http-client';
import type { Connection } from '../connection/address';
import { ServiceApi } from '../connection/service-api';
import { CommandFailure, sentenceOf } from '../failure';
import { harmlessLines } from '../output/harmless-text';

/** What a tool receives besides its arguments. */
export interface ToolCall {
  /** Aborted when the client cancels the call or leaves. */
  readonly api: ServiceApi;
  readonly signal: AbortSignal;
  /** Reports progress to a client that asked for it. @param done grows, up to `total` */
  readonly report: (done: number, total: number, message: string) => void;
}

export interface Answer<Result> {
  readonly result: Result;
  /** A few lines for a reader that takes no structured content. */
  readonly text: string;
}

/** A tool that a client can call. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its effect on the service: none, something new, or something that cannot be undone. */
  readonly effect: 'reads' | 'adds' | 'destroys';
  readonly input: Input;
  readonly output: Output;
  readonly answer: (input: z.output<Input>, call: ToolCall) => Promise<Answer<z.input<Output>>>;
}

/** Registers a tool; tools of different types fit into one list of these. */
export type Registration = (server: McpServer, connection: Connection, log: (line: string) => void) => void;

/** The most characters of a failure that clients are sent. */
const LONGEST_FAILURE = 2_000;

export function registering<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Registration {
  const { name, title, description, effect, input, output } = tool;
  const inputSchema: z.ZodObject = input;
  const outputSchema: z.ZodObject = output;
  const config = {
    title,
    description,
    inputSchema,
    outputSchema,
    annotations: {
      title,
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'destroys',
      idempotentHint: effect !== 'adds',
      openWorldHint: effect === 'adds',
    },
  };
  return (server, connection, log) => {
    server.registerTool(name, config, async (given, context) => {
      const { signal } = context.mcpReq;
      const call = {
        api: new ServiceApi(new HttpClient(connection, signal)),
        signal,
        report: reporterFor(context, log),
      };
      try {
        const { result, text } = await tool.answer(input.parse(given), call);
        const structuredContent = Object.fromEntries(Object.entries<unknown>(result));
        return { structuredContent, content: [{ type: 'text', text }] };
      } catch (error) {
        if (!(error instanceof CommandFailure) && !signal.aborted) log(sentenceOf(error));
        const sentence =
          error instanceof CommandFailure ? error.message : 'An unexpected error occurred: see the log of osce mcp.';
        const text = harmlessLines(sentence.slice(0, LONGEST_FAILURE)).join('\n');
        return { isError: true, content: [{ type: 'text', text }] };
      }
    });
  };
}

/** Progress only grows, as the protocol requires. */
function reporterFor({ mcpReq }: ServerContext, log: (line: string) => void): ToolCall['report'] {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return () => undefined;
  let last = -1;
  return (progress, total, message) => {
    if (progress <= last) return;
    last = progress;
    const params = { progressToken: token, progress, total, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch((error: unknown) => log(sentenceOf(error)));
  };
}
