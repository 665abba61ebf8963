import type { Command } from 'commander';
import type { Host } from '../session';

const EXAMPLES = `
It starts a service of its own on a free port, keeps its data in a temporary folder and removes both afterwards. No language model is
used: it costs nothing and needs no network.

Exit codes: 0 the demonstration ran to its end; 1 it could not, and says why; 2 this is the command alone, without the service;
130 ended by Ctrl-C.

Example:
  $ osce demo`;

export function addDemoCommand(program: Command, host: Host): void {
  program
    .command('demo')
    .summary('examine the demo clinic agent, live, and print its result')
    .description('Examine the demo clinic agent with a service that is started for it.')
    .addHelpText('after', EXAMPLES)
    .action((_: object, command: Command) => host.handOver(command, 'demo', () => ({})));
}
