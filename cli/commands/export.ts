import { Option, type Command } from 'commander';
import { downloadExport, EXPORT_FORMATS, type ExportFormat } from '../connection/download';
import { UsageFailure } from '../failure';
import { findRun } from '../named-resources';
import { escapeInJson, harmlessDocument } from '../output/harmless-text';
import { saveFile } from '../output/save-file';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';
import { addExportScenariosCommand } from './export-scenarios';

interface ExportOptions {
  readonly format?: string;
  readonly output?: string;
}

const EXAMPLES = `
An export to a file or a pipe is byte for byte; on a terminal, control sequences are made visible.

Examples:
  $ osce export latest --format csv -o results.csv
  $ osce export latest --format junit > results.xml
  $ osce export latest --format json | jq '.scenario_runs[].status'
  $ osce export scenarios scenarios/`;

export function addExportCommand(program: Command, host: Host): void {
  const exporting = program
    .command('export <run>')
    .summary('write a run as CSV, JSON or JUnit XML; scenarios as files')
    .description('Export a run with its scenario runs; json and junit include the transcripts, csv does not.')
    .addOption(
      // The parser finds the format of the subcommand here first: each command checks its own.
      new Option('-f, --format <format>', 'format of the export (default: json)')
        .choices(EXPORT_FORMATS)
        .argParser((given: string) => given),
    )
    .option('-o, --output <file>', 'where to write it; default standard output')
    .addHelpText('after', EXAMPLES)
    .action((run: string, options: ExportOptions, command: Command) =>
      host.run(command, (session) => exportRun(session, run, options)),
    );
  addExportScenariosCommand(exporting, host);
}

async function exportRun(
  { api, output }: Session,
  given: string,
  { format: wanted = 'json', output: path }: ExportOptions,
): Promise<void> {
  const format = EXPORT_FORMATS.find((one) => one === wanted);
  if (format === undefined)
    throw new UsageFailure(`A run is exported as ${EXPORT_FORMATS.join(', ')}, not as ${wanted}.`);
  const run = await findRun(api, given);
  if (path !== undefined) {
    await downloadExport(api.http, run.id, format, (chunks) => saveFile(path, chunks));
    const answer = { run_id: run.id, format, file: path };
    if (output.isJson) output.answer(answer, () => undefined);
    else output.remark(`Written: ${path}`);
    return;
  }
  await downloadExport(api.http, run.id, format, (chunks) => print(output.out, chunks, format));
}

async function print(screen: Screen, chunks: AsyncIterable<Uint8Array>, format: ExportFormat): Promise<void> {
  const decoder = new TextDecoder();
  const shown = format === 'json' ? escapeInJson : harmlessDocument;
  for await (const chunk of chunks) {
    if (!screen.isRead) return;
    await screen.flow(screen.isTerminal ? shown(decoder.decode(chunk, { stream: true })) : chunk);
  }
}
