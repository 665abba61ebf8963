import type { Command } from 'commander';
import { oneLine } from '../output/harmless-text';
import type { Host, Session } from '../session';
import { serveMcp } from '../mcp/serve';

const EXAMPLES = `
A client such as an editor or an assistant starts this command itself, with OSCE_URL and OSCE_API_KEY in its environment. It
lists agents, scenarios, suites and runs, reads results with their evidence, follows runs and compares them. Without --allow-start it
can change nothing.

Examples:
  $ osce mcp
  $ osce mcp --allow-start
  { "mcpServers": { "agent-osce": { "command": "osce", "args": ["mcp"], "env": { "OSCE_URL": "http://127.0.0.1:8000" } } } }`;

export function addMcpCommand(program: Command, host: Host): void {
  program
    .command('mcp')
    .summary('serve an AI assistant over the Model Context Protocol')
    .description('Serve a client of the Model Context Protocol on standard input and output.')
    .option('--allow-start', 'allow it to start and cancel runs as well')
    .addHelpText('after', EXAMPLES)
    .action((options: { allowStart?: boolean }, command: Command) =>
      host.run(command, (session) => serve(session, options), { ownsOutput: true }),
    );
}

async function serve(
  { api, output, interrupts }: Session,
  { allowStart = false }: { allowStart?: boolean },
): Promise<void> {
  await serveMcp({
    connection: api.http.connection,
    mayStart: allowStart,
    signal: interrupts.signal,
    log: (line) => output.remark(`osce mcp: ${oneLine(line)}`),
  });
}
