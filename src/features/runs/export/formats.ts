import { charactersIn } from '../../../examiners/threads';
import { ownTurn } from '../../../platform/concurrency';
import { toCsv } from './csv';
import { toJunit } from './junit';
import type { ExportFormat } from '../../../../contract/exports';
import type { ComparisonView } from '../../../../contract/comparison';
import type { TestRunView } from '../../../../contract/test-runs';
import type { ScenarioRunDetail } from '../../../../contract/scenario-runs';

/** A piece ends with the entry of the transcript that reaches it. */
const PIECE_CHARACTERS = 65_536;

/** A scenario run as `JSON.stringify` writes it, in pieces: a transcript may hold seven megabytes. */
export async function* jsonPieces({ transcript, ...rest }: ScenarioRunDetail): AsyncGenerator<string> {
  let piece = `${JSON.stringify(rest).slice(0, -1)},"transcript":[`;
  for (const [at, entry] of transcript.entries()) {
    await ownTurn(charactersIn(entry, Infinity));
    piece += (at === 0 ? '' : ',') + JSON.stringify(entry);
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]}`;
}

/** `{ run, scenario_runs }` with transcripts, as the API shows them, in pieces. */
async function* toJson(run: TestRunView, scenarioRuns: AsyncIterable<ScenarioRunDetail>): AsyncGenerator<string> {
  yield `{"run":${JSON.stringify(run)},"scenario_runs":[`;
  let separator = '\n';
  for await (const scenarioRun of scenarioRuns) {
    yield separator;
    yield* jsonPieces(scenarioRun);
    separator = ',\n';
  }
  yield '\n]}\n';
}

export interface ExportFile {
  readonly contentType: string;
  readonly fileName: string;
  /**
   * The text in pieces, at least one per scenario run. It takes the next scenario run when the last piece has been taken, so a
   * reader that pauses holds up the reading of rows and memory stays at one page of them.
   */
  readonly text: AsyncGenerator<string>;
}

interface Writer {
  readonly contentType: string;
  readonly extension: string;
  readonly write: (
    run: TestRunView,
    scenarioRuns: AsyncIterable<ScenarioRunDetail>,
    comparison: ComparisonView | null,
    publicUrl: string | null,
  ) => AsyncGenerator<string>;
}

const WRITERS: Readonly<Record<ExportFormat, Writer>> = {
  csv: { contentType: 'text/csv; charset=utf-8', extension: 'csv', write: toCsv },
  json: { contentType: 'application/json; charset=utf-8', extension: 'json', write: toJson },
  junit: { contentType: 'application/xml; charset=utf-8', extension: 'xml', write: toJunit },
};

/**
 * A test run and its scenario runs as a file to download.
 * @param comparison with an earlier run; only JUnit has it
 * @param publicUrl where people open the page; only JUnit links to it
 */
export function exportFile(
  format: ExportFormat,
  run: TestRunView,
  scenarioRuns: AsyncIterable<ScenarioRunDetail>,
  comparison: ComparisonView | null = null,
  publicUrl: string | null = null,
): ExportFile {
  const { contentType, extension, write } = WRITERS[format];
  const text = write(run, scenarioRuns, comparison, publicUrl);
  return { contentType, fileName: `${run.test_run_id}.${extension}`, text };
}
