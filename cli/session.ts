import type { Command } from 'commander';
import { connectionFrom } from './connection/address';
import { HttpClient } from './connection/http-client';
import { ServiceApi } from './connection/service-api';
import { EXIT } from './exit-codes';
import { InterruptedFailure, sentenceOf } from './failure';
import { Interrupts } from './interrupts';
import { Output, Screen } from './output/terminal';

/** What every command has: the service, its output, and the signal that interrupts it. */
export interface Session {
  readonly api: ServiceApi;
  readonly output: Output;
  readonly interrupts: Interrupts;
  readonly environment: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface GlobalOptions {
  readonly url?: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** The work of a command; resolves with its exit code, 0 when there is none. */
export type Work = (session: Session) => Promise<number | void>;

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

  /** @param command the requested command: its options and those before it name the service */
  async run(command: Command, work: Work): Promise<void> {
    const { url, key, json = false } = command.optsWithGlobals<GlobalOptions>();
    const output = new Output(this.out, this.err, json);
    try {
      const connection = connectionFrom({
        url: url ?? this.environment['OSCE_URL'],
        key: key ?? this.environment['OSCE_API_KEY'],
      });
      const api = new ServiceApi(new HttpClient(connection, this.interrupts.signal));
      const { interrupts, environment } = this;
      process.exitCode = (await work({ api, output, interrupts, environment })) ?? EXIT.passed;
    } catch (error) {
      const { exitCode } = this.interrupts;
      output.fail(sentenceOf(error));
      process.exitCode = error instanceof InterruptedFailure && exitCode !== null ? exitCode : EXIT.harnessFailed;
    }
  }
}
