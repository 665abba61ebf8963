import type { Command } from 'commander';
import type { Host } from '../session';

const EXAMPLES = `
It starts a service of its own on a free port, keeps its data in a temporary folder and removes both afterwards. No language model is
used: it costs nothing and needs no network.

With --spoken a demo phone agent is rung and spoken with, in about half a minute: espeak-ng must be installed. The service stays until
Ctrl-C, so that the call can be heard, and the exit code is then 0.

Exit codes: 0 the demonstration ran to its end; 1 it could not, and says why; 2 this is the command alone, without the service;
130 ended by Ctrl-C.

Examples:
  $ osce demo
  $ osce demo --spoken`;

export function addDemoCommand(program: Command, host: Host): void {
  program
    .command('demo')
    .summary('examine the demo clinic agent, live, and print its result')
    .description('Examine the demo clinic agent with a service that is started for it.')
    .option('--spoken', 'ring the demo phone agent instead, and speak with it')
    .addHelpText('after', EXAMPLES)
    .action(({ spoken = false }: { spoken?: boolean }, command: Command) =>
      host.handOver(command, 'demo', () => ({}), spoken ? ['--spoken'] : []),
    );
}
