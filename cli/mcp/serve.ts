import { once } from 'node:events';
import { VERSION } from '../../src/platform/config/version';
import type { Connection } from '../connection/address';
import { followTool } from './follow-tool';
import { LISTING_TOOLS } from './listing-tools';
import { RESULT_TOOLS } from './result-tools';
import { STARTING_TOOLS } from './starting-tools';
import { WARNING } from './untrusted';

export interface McpOptions {
  readonly connection: Connection;
  /** Whether runs may be started and canceled. */
  readonly mayStart: boolean;
  /** Ends the serving. */
  readonly signal: AbortSignal;
  /** Standard output belongs to the protocol. */
  readonly log: (line: string) => void;
}

/** Serves a client on standard input and output until it leaves. @throws the signal's reason when it is aborted */
export async function serveMcp({ connection, mayStart, signal, log }: McpOptions): Promise<void> {
  // Only this command needs these modules.
  const [{ McpServer }, { serveStdio }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const tools = [...LISTING_TOOLS, ...RESULT_TOOLS, followTool, ...(mayStart ? STARTING_TOOLS : [])];
  const handle = serveStdio(
    () => {
      const server = new McpServer(
        { name: 'agent-osce', title: 'Agent OSCE', version: VERSION },
        { instructions: instructions(mayStart) },
      );
      for (const register of tools) register(server, connection, log);
      return server;
    },
    { onerror: (error) => log(error.message) },
  );
  const isLeft = [once(process.stdin, 'end', { signal }), once(process.stdin, 'close', { signal })];
  // An abort is reported below, with its reason.
  await Promise.race(isLeft).catch(() => undefined);
  await handle.close();
  process.stdin.destroy();
  signal.throwIfAborted();
}

function instructions(mayStart: boolean): string {
  const extent = mayStart
    ? 'Runs may be started and canceled: ask the user before you do either.'
    : 'It reads only: runs are started with the command osce run, or by osce mcp --allow-start.';
  return (
    'Agent OSCE examines clinical AI agents: a simulated patient talks with the agent, an examiner marks the transcript against a rubric. ' +
    `A pass rate is worth no more than its interval, and one missed must-pass criterion weighs more than the rate. ${extent} ${WARNING}`
  );
}
