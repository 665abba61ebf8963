import type { Command } from 'commander';
import { connectionFrom } from './connection/address';
import { HttpClient } from './connection/http-client';
import { ServiceApi } from './connection/service-api';
import { EXIT } from './exit-codes';
import { InterruptedFailure, sentenceOf, UsageFailure } from './failure';
import { become, programFile, type Program } from './installation';
import { Interrupts } from './interrupts';
import { Output, Screen } from './output/terminal';
import { readSettings, type Settings } from './settings/settings';

/** What every command has: the service, its output, and the signal that interrupts it. */
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
  /** Standard output belongs to a protocol: failures go to standard error alone, --json or not. */
  readonly ownsOutput?: boolean;
}

/** The process that commands run in. Its exit code is set when the work is done; the process then ends on its own. */
export class Host {
  private readonly interrupts = new Interrupts();
  private readonly out: Screen;
  private readonly err: Screen;

  constructor(private readonly environment: Environment) {
    this.out = new Screen(process.stdout, environment);
    this.err = new Screen(process.stderr, environment);
    this.interrupts.listen((exitCode) => {
      // A progress bar may have hidden it.
      if (this.err.isTerminal) this.err.write('\u001b[?25h\n');
      process.exit(exitCode);
    });
  }

  /** For what needs neither the service nor its settings. */
  print(text: string): void {
    this.out.write(text);
  }

  /** @param command the requested command: its options and those before it name the service */
  async run(command: Command, work: Work, { ownsOutput = false }: RunOptions = {}): Promise<void> {
    const { url, key, json = false } = command.optsWithGlobals<GlobalOptions>();
    const output = new Output(this.out, this.err, json && !ownsOutput);
    try {
      const settings = await readSettings({ url, key }, this.environment, process.cwd());
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
      process.exitCode = (await work(session)) ?? EXIT.passed;
    } catch (error) {
      const { exitCode } = this.interrupts;
      output.fail(sentenceOf(error));
      process.exitCode = error instanceof InterruptedFailure && exitCode !== null ? exitCode : EXIT.harnessFailed;
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
    const { json = false } = command.optsWithGlobals<GlobalOptions>();
    const output = new Output(this.out, this.err, json);
    try {
      programFile(program);
      Object.assign(process.env, prepare(this.environment, output));
    } catch (error) {
      output.fail(sentenceOf(error));
      process.exitCode = EXIT.harnessFailed;
      return;
    }
    this.interrupts.forget();
    become(program, args);
  }
}
