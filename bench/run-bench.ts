import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { Bench, type Section } from './bench';
import { describeMachine } from './machine';
import { markdownTable, terminalTable } from './report';
import { attacks } from './sections/attacks';
import { cancel } from './sections/cancel';
import { efficiency, modelLatency } from './sections/efficiency';
import { eventLatency } from './sections/event-latency';
import { firstContent } from './sections/first-content';
import { firstRequest } from './sections/first-request';
import { inspection } from './sections/inspection';
import { liveScenarios } from './sections/live-scenarios';
import { longRun } from './sections/long-run';
import { loop } from './sections/loop';
import { observability } from './sections/observability';
import { processorTime } from './sections/processor-time';
import { providerKinds } from './sections/provider-kinds';
import { reads } from './sections/reads';
import { rooms } from './sections/rooms';
import { scaling } from './sections/scaling';
import { statistics } from './sections/statistics';
import { subscribers } from './sections/subscribers';

const SECTIONS: readonly Section[] = [
  efficiency,
  modelLatency,
  firstRequest,
  eventLatency,
  processorTime,
  liveScenarios,
  cancel,
  longRun,
  scaling,
  subscribers,
  reads,
  inspection,
  observability,
  loop,
  providerKinds,
  attacks,
  statistics,
  firstContent,
  rooms,
];

/** Measures the built service against bare loops, endpoints and streams that do the same work without it. */
async function main(): Promise<void> {
  const command = new Command('npm run bench --')
    .argument('[section...]', 'what to measure; everything when none is named')
    .option('--quick', 'one short round each: shows that the bench works, not how fast the service is')
    .option('--profile <folder>', 'profile the service in the processor-time section, and keep the profiles there')
    .option('--workers <n>', 'worker processes of the examined services', '1')
    .addHelpText(
      'after',
      `\nSections:\n${SECTIONS.map(({ name, about }) => `  ${name.padEnd(16)}${about}`).join('\n')}`,
    )
    .parse();
  const options = command.opts<{ quick?: boolean; profile?: string; workers: string }>();
  const profileFolder = options.profile === undefined ? null : resolve(options.profile);
  if (profileFolder !== null) mkdirSync(profileFolder, { recursive: true });
  const bench = new Bench(options.quick === true, profileFolder, Number(options.workers));

  stopOnSignals(bench);
  process.stderr.write(`${describeMachine()}\n`);
  for (const section of chosen(command)) {
    process.stderr.write(`\n${section.name}: ${section.about}\n`);
    try {
      await section.run(bench);
    } finally {
      await bench.stopAll();
    }
  }
  process.stdout.write(`\n${terminalTable(bench.measurements)}\n`);
  process.stdout.write(`\n${describeMachine()}\n\n${markdownTable(bench.measurements)}\n`);
}

function chosen(command: Command): readonly Section[] {
  if (command.args.length === 0) return SECTIONS;
  return command.args.map((name) => {
    const section = SECTIONS.find((candidate) => candidate.name === name);
    return section ?? command.error(`There is no section "${name}"; see --help.`);
  });
}

/** After Ctrl-C no process runs on and no file is left. */
function stopOnSignals(bench: Bench): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.stderr.write('\nStopping what was started.\n');
      const exit = (): void => process.exit(130);
      bench.stopAll().then(exit, exit);
    });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
