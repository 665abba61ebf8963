import { Presets, SingleBar } from 'cli-progress';
import pc from 'picocolors';
import type { RunEventFields } from '../machines/run-events';
import { plainText } from './plain-text';

export interface Progress {
  show(event: RunEventFields): void;
  stop(): void;
}

export interface ProgressOptions {
  readonly totalScenarios: number;
  readonly turnsPerScenario: number;
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** A live bar on a terminal; elsewhere a line for each scenario that ends. */
export function startProgress(options: ProgressOptions): Progress {
  return options.output.isTTY ? progressBar(options) : progressLines(options);
}

/** Names of the scenarios under way, by scenario run. */
class UnderWay {
  private readonly names = new Map<string, string>();
  ended = 0;

  note(event: RunEventFields): void {
    if (event.type === 'scenario_started') this.names.set(event.scenario_run_id, plainText(event.scenario_name));
    if (!endsScenario(event)) return;
    this.names.delete(event.scenario_run_id);
    this.ended += 1;
  }

  nameOf(scenarioRunId: string): string {
    return this.names.get(scenarioRunId) ?? 'a scenario';
  }

  get newest(): string {
    return [...this.names.values()].at(-1) ?? '';
  }
}

type ScenarioEnd = Extract<RunEventFields, { type: 'scenario_complete' | 'scenario_error' | 'scenario_canceled' }>;

function endsScenario(event: RunEventFields): event is ScenarioEnd {
  return event.type === 'scenario_complete' || event.type === 'scenario_error' || event.type === 'scenario_canceled';
}

function progressBar({ totalScenarios, turnsPerScenario, output }: ProgressOptions): Progress {
  const underWay = new UnderWay();
  const bar = new SingleBar(
    {
      format: '  {bar} {ended}/{scenarios} scenarios  {value}/{total} turns  {name}',
      barsize: 24,
      hideCursor: true,
      clearOnComplete: true,
      stream: output,
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  const facts = () => ({ ended: underWay.ended, scenarios: totalScenarios, name: underWay.newest });
  bar.start(totalScenarios * turnsPerScenario, 0, facts());
  return {
    show: (event) => {
      underWay.note(event);
      if (event.type === 'transcript_update') bar.increment(1, facts());
      else bar.update(facts());
    },
    stop: () => bar.stop(),
  };
}

function progressLines({ totalScenarios, output }: ProgressOptions): Progress {
  const underWay = new UnderWay();
  return {
    show: (event) => {
      const name = endsScenario(event) ? underWay.nameOf(event.scenario_run_id) : '';
      underWay.note(event);
      if (endsScenario(event)) output.write(`  ${underWay.ended}/${totalScenarios} ${outcomeOf(event)}  ${name}\n`);
    },
    stop: () => undefined,
  };
}

function outcomeOf(event: ScenarioEnd): string {
  if (event.type === 'scenario_complete') return event.status === 'passed' ? pc.green('passed') : pc.red('failed');
  return event.type === 'scenario_error' ? pc.yellow('error ') : pc.yellow('canceled');
}
