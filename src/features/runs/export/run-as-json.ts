import type { TestRunView } from '../run.views';
import type { ScenarioRunDetail } from '../scenario-run.views';
import { jsonPieces } from './json-pieces';

/** `{ run, scenario_runs }` with transcripts, as the API shows them, in pieces. */
export async function* toJson(
  run: TestRunView,
  scenarioRuns: AsyncIterable<ScenarioRunDetail>,
): AsyncGenerator<string> {
  yield `{"run":${JSON.stringify(run)},"scenario_runs":[`;
  let separator = '\n';
  for await (const scenarioRun of scenarioRuns) {
    yield separator;
    yield* jsonPieces(scenarioRun);
    separator = ',\n';
  }
  yield '\n]}\n';
}
