import { BareLoop, type HttpClient } from './processes/bare-loop';
import { JUDGE_MODEL, StubServers, TESTER_MODEL } from './processes/stub-servers';
import { lineOf, type Measurement } from './report';
import { benchScenarios } from './scenarios';
import { ServiceProcess, type ServiceOptions } from './service-process';

export interface Section {
  readonly name: string;
  /** One line for --help. */
  readonly about: string;
  readonly run: (bench: Bench) => Promise<void>;
}

/** A service, its stub servers and the scenarios that a section runs in it. */
export interface Examination {
  readonly service: ServiceProcess;
  readonly stubs: StubServers;
  readonly agentId: string;
  readonly scenarioIds: readonly string[];
}

export interface ExaminationOptions extends ServiceOptions {
  readonly scenarios: number;
  /** `stub`: the Anthropic tester and judge, whose API is a stub. `offline`: those that need no model. */
  readonly models: 'stub' | 'offline';
}

/** What sections share: rounds, processes that end with them, and the report. */
export class Bench {
  readonly measurements: Measurement[] = [];
  private readonly running: { stop(): Promise<unknown> }[] = [];

  constructor(
    readonly isQuick: boolean,
    /** Where the processor-time section writes its profiles; null: it takes none. */
    readonly profileFolder: string | null,
    /** The WORKERS of every examined service. */
    private readonly workers = 1,
  ) {}

  /** The number of rounds; the median of them is reported. */
  rounds(usual: number): number {
    return this.isQuick ? 1 : usual;
  }

  progress(what: string): void {
    process.stderr.write(`  ${what}\n`);
  }

  report(measurement: Measurement): void {
    this.measurements.push(measurement);
    process.stderr.write(`→ ${lineOf(measurement)}\n`);
  }

  /** Starts the service, the stubs, and in the service the agent and the scenarios. */
  async examination({ scenarios, models, settings, nodeArguments }: ExaminationOptions): Promise<Examination> {
    const stubs = this.keep(await StubServers.start());
    const service = this.keep(
      await ServiceProcess.start({
        settings: { WORKERS: String(this.workers), ...(models === 'stub' ? modelSettings(stubs) : {}), ...settings },
        nodeArguments,
      }),
    );
    const agentId = await service.client.createAgent(stubs.agentUrl);
    const scenarioIds = await service.client.createScenarios(benchScenarios(scenarios));
    return { service, stubs, agentId, scenarioIds };
  }

  startLoop(stubs: StubServers, client?: HttpClient): BareLoop {
    return this.keep(BareLoop.start(stubs, client));
  }

  /** Has a process stopped at the end of the section, or when the bench is interrupted. */
  keep<Process extends { stop(): Promise<unknown> }>(started: Process): Process {
    this.running.push(started);
    return started;
  }

  /** The newest first: the service goes before what it talks to. */
  async stopAll(): Promise<void> {
    for (let last = this.running.pop(); last !== undefined; last = this.running.pop()) await last.stop();
  }
}

function modelSettings(stubs: StubServers): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_API_KEY: 'stub',
    ANTHROPIC_BASE_URL: stubs.messagesUrl,
    TESTER_MODEL,
    JUDGE_MODEL,
  };
}

/** Measures floor and service in turn, so that other load on the machine affects both. */
export async function inTurn<Floor, Value>(
  rounds: number,
  floor: (round: number) => Promise<Floor>,
  value: (round: number) => Promise<Value>,
): Promise<{ floors: Floor[]; values: Value[] }> {
  const floors: Floor[] = [];
  const values: Value[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    floors.push(await floor(round));
    values.push(await value(round));
  }
  return { floors, values };
}
