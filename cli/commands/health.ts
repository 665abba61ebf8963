import type { Command } from 'commander';
import type { Health } from '../connection/answers';
import { pause } from '../connection/deadline';
import { EXIT } from '../exit-codes';
import { UnreachableFailure } from '../failure';
import { positiveNumber } from '../option-values';
import { oneLine } from '../output/harmless-text';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';

const EXAMPLES = `
Exit codes: 0 the service is well (warnings included), 2 it is not, or is out of reach, or does not know the key.

Examples:
  $ osce health
  $ osce health --wait 120
  $ OSCE_URL=https://osce.example.org osce doctor --json`;

export function addHealthCommand(program: Command, host: Host): void {
  program
    .command('health')
    .alias('doctor')
    .summary('check whether the service is healthy and the key works')
    .description("Check the service's health, and try the key.")
    .option('--wait <seconds>', 'wait up to this long for a service that is starting', positiveNumber)
    .addHelpText('after', EXAMPLES)
    .action((options: HealthOptions, command: Command) =>
      host.run(command, (session) => examineService(session, options)),
    );
}

interface HealthOptions {
  readonly wait?: number;
}

const ASK_EVERY_MS = 250;

/** The service's health; polled for a while when it is not reachable yet, or not healthy. */
async function healthOf({ api, interrupts }: Session, waitMs: number): Promise<Health> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const isLast = Date.now() >= deadline;
    try {
      const health = await api.health();
      if (health.status === 'ok' || isLast) return health;
    } catch (error) {
      if (isLast || !(error instanceof UnreachableFailure)) throw error;
    }
    await pause(ASK_EVERY_MS, interrupts.signal);
  }
}

async function examineService(session: Session, { wait = 0 }: HealthOptions): Promise<number> {
  const { api, output } = session;
  const health = await healthOf(session, wait * 1_000);
  const isWell = health.status === 'ok';
  // Health needs no key: this call does, and throws when it is wrong.
  const access = isWell ? `The service answers; it has ${(await api.testRuns(1)).total} runs.` : 'Not tried.';
  output.answer({ url: api.url, ...health }, (screen) => {
    screen.line(
      `${screen.colors.bold('Agent OSCE')} ${oneLine(health.version)} at ${api.url}: ${oneLine(health.status)}`,
    );
    for (const [name, { status, detail }] of Object.entries(health.checks)) {
      screen.line(`  ${painted(screen, status)} ${oneLine(name).padEnd(10)} ${oneLine(detail)}`);
    }
    screen.line(`  ${painted(screen, isWell ? 'ok' : 'warning')} ${'access'.padEnd(10)} ${access}`);
    for (const sentence of Object.values(health.setup)) screen.line(`  - ${oneLine(sentence)}`);
  });
  return isWell ? EXIT.passed : EXIT.harnessFailed;
}

function painted({ colors }: Screen, status: string): string {
  const text = oneLine(status).padEnd(7);
  if (status === 'ok') return colors.green(text);
  return status === 'warning' ? colors.yellow(text) : colors.red(text);
}
