import { Option, type Command } from 'commander';
import { FILE_FORMATS } from '../../src/features/scenarios/files/file-formats';
import { scenarioFile } from '../../src/features/scenarios/scenario-file';
import { UsageFailure } from '../failure';
import { checked, isWrong } from '../import/checked';
import { MOST_LISTED, refuseProblems } from '../import/named-problems';
import { shortened } from '../output/harmless-text';
import type { Host, Session } from '../session';
import { fileOfScenario } from '../scenario-folder/file-of-scenario';
import { knownFilesIn } from '../scenario-folder/known-files';
import type { ExportPlan } from '../scenario-folder/plan-export';
import { removeFiles, writeFolder } from '../scenario-folder/write-folder';

interface FolderOptions {
  /** From the parent command, which has other formats too. */
  readonly format?: string;
  /** From the parent command too. */
  readonly output?: string;
  readonly prune?: boolean;
}

const EXAMPLES = `
One file for each active scenario, <category>/<name>.yaml, and scenario.schema.json, which editors read. The same scenarios
always give the same bytes. A scenario that has a file in the folder keeps it, with its name and format; where nothing has
changed it is left as it is. osce import reads the folder back, and osce scenarios diff compares it.

Examples:
  $ osce export scenarios scenarios/
  $ osce export scenarios scenarios/ --format json --prune
  $ osce scenarios diff scenarios/
  $ osce import scenarios/`;

export function addExportScenariosCommand(exporting: Command, host: Host): void {
  exporting
    .command('scenarios <folder>')
    .summary('write the scenarios as files to keep in git')
    .description(
      'Write the scenarios of the service into a folder, one file each: new ones as YAML, or with --format json as JSON.',
    )
    // The parent command parses it first; here it is for the help.
    .addOption(new Option('-f, --format <format>', 'of new files; default yaml').choices(FILE_FORMATS))
    .option(
      '--prune',
      'remove the files of scenarios that the service does not have, deleted or never imported; without this option they are only listed',
    )
    .addHelpText('after', EXAMPLES)
    .action((folder: string, _: object, command: Command) =>
      host.run(command, (session) => exportScenarios(session, folder, command.optsWithGlobals<FolderOptions>())),
    );
}

async function exportScenarios(session: Session, folder: string, options: FolderOptions): Promise<void> {
  const { api, output } = session;
  const { format: wanted = 'yaml', prune = false } = options;
  const format = FILE_FORMATS.find((one) => one === wanted);
  if (format === undefined) {
    throw new UsageFailure(`Scenarios are exported as ${FILE_FORMATS.join(' or ')}, not as ${wanted}.`);
  }
  if (options.output !== undefined) {
    throw new UsageFailure('Scenarios are exported into the folder that is named: leave out --output.');
  }
  const known = await knownFilesIn(folder);
  refuseProblems(
    output,
    known.problems,
    'A scenario that cannot be read might be written twice: correct its file first. Nothing was written.',
  );
  const scenarios = await api.scenarios();
  // This module loads YAML, which other commands do not need.
  const { planExport } = await import('../scenario-folder/plan-export.js');
  const plan = planExport(scenarios, known, format);
  const stale = plan.stale.map(({ path }) => path).sort();
  if (prune && scenarios.length === 0 && stale.length > 0) {
    throw new UsageFailure('The service has no scenarios: nothing is removed. Is it the right one?');
  }
  if (prune && plan.files.every(({ known: file }) => file === null) && stale.length > 0) {
    throw new UsageFailure(
      `The service has none of the scenarios in ${shortened(folder, 300)}: nothing is removed or written. Are the folder and the service the right ones?`,
    );
  }
  await writeFolder(folder, plan);
  if (prune) {
    // All of them: a user who removes files by mistake has to know which.
    for (const path of stale) output.warn(`${path} holds no scenario that the service has: it is removed.`);
    await removeFiles(folder, stale);
  }
  warnOfUnreadable(session, plan);
  const changed = plan.files.filter(({ isSame }) => !isSame);
  const answer = {
    folder,
    written: changed.map(({ path }) => path),
    unchanged: plan.files.length - changed.length,
    stale: prune ? [] : stale,
    removed: prune ? stale : [],
  };
  output.answer(answer, (screen) => {
    const gone = prune && stale.length > 0 ? `, ${stale.length} removed` : '';
    screen.line(`${changed.length} written, ${answer.unchanged} unchanged${gone}.`);
  });
  if (prune || stale.length === 0) return;
  for (const path of stale.slice(0, MOST_LISTED)) output.warn(`${path} holds no scenario that the service has.`);
  output.remark(`${stale.length} such files are left; --prune removes them.`);
}

/** The service stores any content of a scenario; an import requires more of a file. */
function warnOfUnreadable({ output }: Session, { files }: ExportPlan): void {
  const wrong = files.flatMap(({ path, scenario }) => {
    const read = checked(scenarioFile, fileOfScenario(scenario, null));
    return isWrong(read)
      ? [`${path}: ${shortened(read.wrong, 500)}; osce import refuses it until that is corrected.`]
      : [];
  });
  for (const sentence of wrong.slice(0, MOST_LISTED)) output.warn(sentence);
}
