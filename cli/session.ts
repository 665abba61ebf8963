import type { Command } from 'commander';
import { connectionFrom } from './connection/address';
import { HttpClient } from './connection/http-client';
import { ServiceApi } from './connection/service-api';
import { EXIT } from './exit-codes';
import { InterruptedFailure, sentenceOf, UsageFailure } from './failure';
import { become, programFile, type Program } from './installation';
import { Interrupts } from './interrupts';
import { Output, Screen, type Stream } from './output/terminal';
import { readSettings, type Settings } from './settings/settings';

/** What every command works with: the service, its output, and the signal that interrupts it. */
export interface Session {
  /** @throws UsageFailure when the settings would send the key where it may not go */
  readonly api: ServiceApi;
  readonly output: Output;
  readonly interrupts: Interrupts;
  readonly environment: Environment;
  readonly settings: Settings;
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface GlobalOptions {
  readonly url?: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** The work of a command; resolves with its exit code, 0 when there is none. */
export type Work = (session: Session) => Promise<number | void>;

interface RunOptions {
  /** Standard output belongs to a protocol: failures go to standard error only, with and without --json. */
  readonly ownsOutput?: boolean;
}

/** The process that a command runs in, as far as it needs it: Node's own `process` is one. */
export interface Surroundings {
  readonly stdout: Stream;
  readonly stderr: Stream;
  exitCode?: number | string | null;
  /** The folder in which, and above which, settings are looked for. */
  cwd(): string;
}

/** Where commands run. The exit code is set when the work is done; a process then ends on its own. */
export class Host {
  readonly out: Screen;
  readonly err: Screen;
  private readonly interrupts = new Interrupts();

  constructor(
    private readonly environment: Environment,
    private readonly surroundings: Surroundings,
  ) {
    this.out = new Screen(surroundings.stdout, environment);
    this.err = new Screen(surroundings.stderr, environment);
    // Signals reach a process, not one of several commands in it.
    if (surroundings === process) this.interrupts.listen((exitCode) => this.leave(exitCode));
  }

  /** For commands that need neither the service nor its settings. */
  print(text: string): void {
    this.out.write(text);
  }

  /** Sets the code with which the process ends when its work is done. */
  endWith(exitCode: number): void {
    this.surroundings.exitCode = exitCode;
  }

  /** @param command the requested command: its options and those of its parents name the service */
  async run(command: Command, work: Work, { ownsOutput = false }: RunOptions = {}): Promise<void> {
    const { url, key, json = false } = command.optsWithGlobals<GlobalOptions>();
    const output = new Output(this.out, this.err, json && !ownsOutput);
    try {
      const settings = await readSettings({ url, key }, this.environment, this.surroundings.cwd());
      const connection = connectionFrom({ url: settings.url.value, key: settings.key?.value });
      const service = new ServiceApi(new HttpClient(connection, this.interrupts.signal));
      const { interrupts, environment } = this;
      const session: Session = {
        get api() {
          if (settings.keyRefusal !== null) throw new UsageFailure(settings.keyRefusal);
          return service;
        },
        ...{ output, interrupts, environment, settings },
      };
      this.endWith((await work(session)) ?? EXIT.passed);
    } catch (error) {
      const { exitCode } = this.interrupts;
      output.fail(sentenceOf(error));
      this.endWith(error instanceof InterruptedFailure && exitCode !== null ? exitCode : EXIT.harnessFailed);
    }
  }

  /**
   * Leaves the process to a program of the package: signals, output and exit code are its own from then on.
   * @param prepare the settings to start it with, besides those of the environment
   */
  handOver(
    command: Command,
    program: Program,
    prepare: (environment: Environment, output: Output) => Environment,
    args: readonly string[] = [],
  ): void {
    if (this.surroundings !== process) throw new Error(`osce ${program} needs a process of its own.`);
    const { json = false } = command.optsWithGlobals<GlobalOptions>();
    const output = new Output(this.out, this.err, json);
    try {
      programFile(program);
      Object.assign(process.env, prepare(this.environment, output));
    } catch (error) {
      output.fail(sentenceOf(error));
      this.endWith(EXIT.harnessFailed);
      return;
    }
    this.interrupts.forget();
    become(program, args);
  }
  private leave(exitCode: number): never {
    // A progress bar may have hidden it.
    if (this.err.isTerminal) this.err.write('\u001b[?25h\n');
    process.exit(exitCode);
  }
}
