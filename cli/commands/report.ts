import { Option, type Command } from 'commander';
import { canonicalHash } from '../../src/domain/fingerprint';
import { downloadReport, REPORT_FORMATS, type ReportFormat } from '../connection/download';
import { EXIT } from '../exit-codes';
import { UsageFailure } from '../failure';
import { findRun } from '../named-resources';
import { escapeInJson, harmlessDocument, shortened } from '../output/harmless-text';
import { saveFile } from '../output/save-file';
import type { Screen } from '../output/terminal';
import { isObject, nameOf, readJsonObject } from '../read-input';
import type { Host, Session } from '../session';

interface ReportOptions {
  readonly format: ReportFormat;
  readonly out?: string;
  readonly verify?: string;
}

const EXAMPLES = `
The HTML is one file that prints on A4. The JSON is { sha256, report }: the hash is that of the report's canonical JSON
(RFC 8785), and stands in the HTML too.

Examples:
  $ osce report latest --out report.html
  $ osce report latest --format json --out report.json
  $ osce report --verify report.json`;

export function addReportCommand(program: Command, host: Host): void {
  program
    .command('report [run]')
    .summary('write a run as a report for decision makers')
    .description('Write the report of a run that has ended, or check the hash of one.')
    .addOption(new Option('-f, --format <format>', 'of the file').choices([...REPORT_FORMATS]).default('html'))
    .option('-o, --out <file>', 'where to write it; default standard output')
    .option('--verify <file>', 'compute the hash of a JSON report again: 0 when it is right, 1 when it is not')
    .addHelpText('after', EXAMPLES)
    .action((run: string | undefined, options: ReportOptions, command: Command) =>
      host.run(command, (session) => report(session, run, options)),
    );
}

async function report(session: Session, run: string | undefined, options: ReportOptions): Promise<number> {
  if (options.verify !== undefined) {
    if (run !== undefined) throw new UsageFailure('Name a run, or a file to verify, not both.');
    return verify(session, options.verify);
  }
  if (run === undefined) throw new UsageFailure('Name the run, such as: osce report latest --out report.html');
  await write(session, run, options);
  return EXIT.passed;
}

async function write({ api, output }: Session, given: string, { format, out: path }: ReportOptions): Promise<void> {
  const run = await findRun(api, given);
  if (path !== undefined) {
    await downloadReport(api.http, run.id, format, (chunks) => saveFile(path, chunks));
    if (output.isJson) output.answer({ run_id: run.id, format, file: path }, () => undefined);
    else output.remark(`Written: ${path}`);
    return;
  }
  await downloadReport(api.http, run.id, format, (chunks) => print(output.out, chunks, format));
}

async function print(screen: Screen, chunks: AsyncIterable<Uint8Array>, format: ReportFormat): Promise<void> {
  const decoder = new TextDecoder();
  const shown = format === 'json' ? escapeInJson : harmlessDocument;
  for await (const chunk of chunks) {
    if (!screen.isRead) return;
    await screen.flow(screen.isTerminal ? shown(decoder.decode(chunk, { stream: true })) : chunk);
  }
}

async function verify({ output }: Session, path: string): Promise<number> {
  const { sha256, report: document } = await readJsonObject(path);
  if (typeof sha256 !== 'string' || !isObject(document)) {
    throw new UsageFailure(
      `${nameOf(path)} is not a report: it needs sha256 and report, as --format json writes them.`,
    );
  }
  const computed = canonicalHash(document);
  const matches = computed === sha256;
  output.answer({ file: path, sha256, computed, matches }, (screen) =>
    screen.line(
      matches
        ? `The report is as it was written: ${computed}`
        : `The report was changed: it says ${shortened(sha256, 64)}, and is ${computed}`,
    ),
  );
  return matches ? EXIT.passed : EXIT.belowBar;
}
