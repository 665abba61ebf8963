import type { Command } from 'commander';
import { dataFolderSetting, isUnset } from '../data-folder';
import type { Environment, Host } from '../session';

const EXAMPLES = `
Every setting is an environment variable: keys, models, limits, a PostgreSQL server of your own (docs/settings.md). The three that are
set most often have options, which take precedence. The service answers only this machine unless --host names another address, which
requires a key of 24 characters or more (openssl rand -hex 24), or ALLOW_OPEN=true.

Exit codes: 0 stopped by Ctrl-C or SIGTERM; 1 it could not start, and says why; 2 only the command is installed, without the service.

Examples:
  $ osce serve
  $ osce serve --port 0 --data-dir ./osce-data
  $ ANTHROPIC_API_KEY=… SERVICE_API_KEY=$(openssl rand -hex 24) osce serve --host 0.0.0.0`;

interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly dataDir?: string;
}

export function addServeCommand(program: Command, host: Host): void {
  program
    .command('serve')
    .summary('run the service, with its page and its database')
    .description('Run the Agent OSCE service until it is stopped.')
    .option('--port <port>', 'where to listen, 0 for a free port; PORT, else 8000')
    .option('--host <address>', 'the address to listen on; HOST, else 127.0.0.1')
    .option(
      '--data-dir <folder>',
      'where the embedded PostgreSQL keeps everything; DATA_DIR, else a folder of this user',
    )
    .addHelpText('after', EXAMPLES)
    .action((options: ServeOptions, command: Command) =>
      host.handOver(command, 'serve', (environment, output) => {
        const settings = settingsOf(options, environment);
        const { DATA_DIR } = settings;
        if (DATA_DIR !== undefined && isUnset(environment['DATABASE_URL'])) {
          output.remark(`Everything is kept in ${DATA_DIR}`);
        }
        return settings;
      }),
    );
}

/** The variables that the options set, and the default data folder. The service checks the values, and names the variable. */
function settingsOf({ port, host, dataDir }: ServeOptions, environment: Environment): Record<string, string> {
  return {
    ...(port !== undefined && { PORT: port }),
    ...(host !== undefined && { HOST: host }),
    ...dataFolderSetting(dataDir, environment),
  };
}
