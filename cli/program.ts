import { Command, Option } from 'commander';
import { VERSION } from '../src/platform/config/version';
import { addAgreementCommand } from './commands/agreement';
import { addAgentsCommand } from './commands/agents';
import { addAuditCommand } from './commands/audit';
import { addCalibrateCommand } from './commands/calibrate';
import { addCiCommand } from './commands/ci';
import { addCompareCommand } from './commands/compare';
import { addCompletionCommand } from './commands/completion';
import { addConfigCommand } from './commands/config';
import { addForkCommand, addRegradeCommand, addRetryCommand } from './commands/derive';
import { addBackupCommands } from './commands/backup';
import { addDemoCommand } from './commands/demo';
import { addExportCommand } from './commands/export';
import { addGradeCommand } from './commands/grade';
import { addHealthCommand } from './commands/health';
import { addImportCommand } from './commands/import';
import { addKeysCommand } from './commands/keys';
import { addMcpCommand } from './commands/mcp';
import { addOpenCommand } from './commands/open';
import { addRecordingCommand } from './commands/recording';
import { addReportCommand } from './commands/report';
import { addRunCommand } from './commands/run';
import { addRunsCommand } from './commands/runs';
import { addScenariosCommand } from './commands/scenarios';
import { addSetsCommand } from './commands/sets';
import { addSchedulesCommand } from './commands/schedules';
import { addServeCommand } from './commands/serve';
import { addSpeechCommands } from './commands/speech';
import { addSuitesCommand } from './commands/suites';
import { addWebhooksCommand } from './commands/webhooks';
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

/** The whole command line. Actions run in the host. */
export function createProgram(host: Host): Command {
  const program = new Command('osce')
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
    .exitOverride();
  addRunCommand(program, host);
  addRetryCommand(program, host);
  addRegradeCommand(program, host);
  addForkCommand(program, host);
  addGradeCommand(program, host);
  addRunsCommand(program, host);
  addSetsCommand(program, host);
  addCompareCommand(program, host);
  addAgreementCommand(program, host);
  addExportCommand(program, host);
  addReportCommand(program, host);
  addRecordingCommand(program, host);
  addSpeechCommands(program, host);
  addCalibrateCommand(program, host);
  addAgentsCommand(program, host);
  addScenariosCommand(program, host);
  addImportCommand(program, host);
  addSuitesCommand(program, host);
  addSchedulesCommand(program, host);
  addWebhooksCommand(program, host);
  addAuditCommand(program, host);
  addKeysCommand(program, host);
  addHealthCommand(program, host);
  addOpenCommand(program, host);
  addMcpCommand(program, host);
  addConfigCommand(program, host);
  addCompletionCommand(program, host);
  addCiCommand(program, host);
  addServeCommand(program, host);
  addBackupCommands(program, host);
  addDemoCommand(program, host);
  return program;
}
