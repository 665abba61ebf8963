import type { Command } from 'commander';
import { EXIT } from '../exit-codes';
import { oneLine } from '../output/harmless-text';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';

const EXAMPLES = `
Exit codes: 0 the service is well (warnings included), 2 it is not, or is out of reach, or does not know the key.

Examples:
  $ osce health
  $ OSCE_URL=https://osce.example.org osce doctor --json`;

export function addHealthCommand(program: Command, host: Host): void {
  program
    .command('health')
    .alias('doctor')
    .summary('is the service well, and does the key open it')
    .description('Ask the service how it is, and try the key.')
    .addHelpText('after', EXAMPLES)
    .action((_: object, command: Command) => host.run(command, examineService));
}

async function examineService({ api, output }: Session): Promise<number> {
  const health = await api.health();
  const isWell = health.status === 'ok';
  // Health is open to everybody: this needs the key, and throws when it is wrong.
  const access = isWell ? `The service answers; it has ${(await api.testRuns(1)).total} runs.` : 'Not tried.';
  output.answer({ url: api.url, ...health }, (screen) => {
    screen.line(
      `${screen.colors.bold('Agent OSCE')} ${oneLine(health.version)} at ${api.url}: ${oneLine(health.status)}`,
    );
    for (const [name, { status, detail }] of Object.entries(health.checks)) {
      screen.line(`  ${painted(screen, status)} ${oneLine(name).padEnd(10)} ${oneLine(detail)}`);
    }
    screen.line(`  ${painted(screen, isWell ? 'ok' : 'warning')} ${'access'.padEnd(10)} ${access}`);
    for (const sentence of health.setup) screen.line(`  - ${oneLine(sentence)}`);
  });
  return isWell ? EXIT.passed : EXIT.harnessFailed;
}

function painted({ colors }: Screen, status: string): string {
  const text = oneLine(status).padEnd(7);
  if (status === 'ok') return colors.green(text);
  return status === 'warning' ? colors.yellow(text) : colors.red(text);
}
