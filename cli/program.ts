import { Command, Option } from 'commander';
import { VERSION } from '../src/platform/config/version';
import { DEFAULT_URL } from './connection/address';
import { abridged, harmlessDocument } from './output/harmless-text';
import type { Host } from './session';

const EPILOGUE = `
Exit codes: 0 done, and the bar reached; 1 below the bar, or a lint has findings; 2 the harness failed (service out of reach,
run failed, wrong arguments …); 130 ended by Ctrl-C, which cancels a run that this command started.

Examples:
  $ osce health
  $ osce agents list
  $ osce run --agent "Demo clinic agent" --tag emergency --watch
  $ osce run --agent "Triage agent" --fail-under 85 --junit results.xml
  $ OSCE_URL=https://osce.example.org OSCE_API_KEY=… osce runs list --json`;

const LONGEST_ERROR = 600;
/** The width of help outside of a terminal. */
const HELP_WIDTH = 80;

/** Adds its commands to the program. */
type Adds = (program: Command, host: Host) => void;

/** The commands in the order of the help. Each is loaded when it is named: what only others need would be most of the time of `osce runs list`. */
const COMMANDS: readonly { readonly names: readonly string[]; readonly load: () => Promise<Adds> }[] = [
  { names: ['run'], load: async () => (await import('./commands/run.js')).addRunCommand },
  { names: ['retry'], load: async () => (await import('./commands/derive.js')).addRetryCommand },
  { names: ['regrade'], load: async () => (await import('./commands/derive.js')).addRegradeCommand },
  { names: ['fork'], load: async () => (await import('./commands/derive.js')).addForkCommand },
  { names: ['grade'], load: async () => (await import('./commands/grade.js')).addGradeCommand },
  { names: ['runs'], load: async () => (await import('./commands/runs.js')).addRunsCommand },
  { names: ['sets'], load: async () => (await import('./commands/sets.js')).addSetsCommand },
  { names: ['compare'], load: async () => (await import('./commands/compare.js')).addCompareCommand },
  { names: ['agreement'], load: async () => (await import('./commands/agreement.js')).addAgreementCommand },
  { names: ['export'], load: async () => (await import('./commands/export.js')).addExportCommand },
  { names: ['report'], load: async () => (await import('./commands/report.js')).addReportCommand },
  { names: ['recording'], load: async () => (await import('./commands/recording.js')).addRecordingCommand },
  { names: ['speech'], load: async () => (await import('./commands/speech.js')).addSpeechCommands },
  { names: ['calibrate'], load: async () => (await import('./commands/calibrate.js')).addCalibrateCommand },
  { names: ['agents'], load: async () => (await import('./commands/agents.js')).addAgentsCommand },
  { names: ['scenarios'], load: async () => (await import('./commands/scenarios.js')).addScenariosCommand },
  { names: ['import'], load: async () => (await import('./commands/import.js')).addImportCommand },
  { names: ['suites'], load: async () => (await import('./commands/suites.js')).addSuitesCommand },
  { names: ['schedules'], load: async () => (await import('./commands/schedules.js')).addSchedulesCommand },
  { names: ['webhooks'], load: async () => (await import('./commands/webhooks.js')).addWebhooksCommand },
  { names: ['audit'], load: async () => (await import('./commands/audit.js')).addAuditCommand },
  { names: ['keys'], load: async () => (await import('./commands/keys.js')).addKeysCommand },
  { names: ['health'], load: async () => (await import('./commands/health.js')).addHealthCommand },
  { names: ['open'], load: async () => (await import('./commands/open.js')).addOpenCommand },
  { names: ['mcp'], load: async () => (await import('./commands/mcp.js')).addMcpCommand },
  { names: ['config'], load: async () => (await import('./commands/config.js')).addConfigCommand },
  { names: ['completion'], load: async () => (await import('./commands/completion.js')).addCompletionCommand },
  { names: ['ci'], load: async () => (await import('./commands/ci.js')).addCiCommand },
  { names: ['serve'], load: async () => (await import('./commands/serve.js')).addServeCommand },
  { names: ['backup', 'restore'], load: async () => (await import('./commands/backup.js')).addBackupCommands },
  { names: ['demo'], load: async () => (await import('./commands/demo.js')).addDemoCommand },
];

/**
 * The command line, as far as the words after `osce` need it: the command that they name, else all, of which help and completion tell.
 * Actions run in the host.
 * @throws CommanderError when an option before the command lacks its value
 */
export async function createProgram(host: Host, words: readonly string[]): Promise<Command> {
  const [name = ''] = programWithoutCommands(host).parseOptions([...words]).operands;
  const named = COMMANDS.filter(({ names }) => names.includes(name));
  const program = programWithoutCommands(host);
  for (const { load } of named.length > 0 ? named : COMMANDS) (await load())(program, host);
  return program;
}

function programWithoutCommands(host: Host): Command {
  return (
    new Command('osce')
      .description('Examine clinical AI agents with an Agent OSCE service, from a terminal or a CI job.')
      .version(VERSION)
      .addOption(
        new Option('--url <url>', `base address of the service; OSCE_URL, url in .osce.yaml, else ${DEFAULT_URL}`),
      )
      .addOption(
        new Option('--key <key>', 'service key; prefer OSCE_API_KEY, which other users of the machine cannot see'),
      )
      .option('--json', 'the answer as one JSON document on standard output; everything else on standard error')
      .configureHelp({ showGlobalOptions: true })
      .showHelpAfterError('(add --help for usage)')
      .showSuggestionAfterError()
      // Error messages repeat arguments, which may come from untrusted sources.
      .configureOutput({
        writeOut: (text) => host.out.write(text),
        writeErr: (text) => host.err.write(text),
        getOutHelpWidth: () => host.out.columns ?? HELP_WIDTH,
        getErrHelpWidth: () => host.err.columns ?? HELP_WIDTH,
        outputError: (text, write) => write(harmlessDocument(abridged(text, LONGEST_ERROR))),
      })
      .addHelpText('after', EPILOGUE)
      .exitOverride()
  );
}
