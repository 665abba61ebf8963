import { canonicalScenario } from '../../src/features/scenarios/files/canonical-scenario';
import { SCHEMA_FILE } from '../../src/features/scenarios/files/scenario-json-schema';
import type { FileFormat } from '../../src/features/scenarios/files/file-formats';
import { scenarioFileText } from '../../src/features/scenarios/files/scenario-file-text';
import type { Scenario } from '../connection/answers';
import { UsageFailure } from '../failure';
import type { ImportEntry } from '../import/entry';
import { isMatchProblem, matchEntries } from '../import/matches';
import { planImport } from '../import/plan';
import { shortened } from '../output/harmless-text';
import { fileOfScenario, keysOf } from './file-of-scenario';
import { FreeNames, slugOf } from './file-names';
import type { KnownFile, KnownFiles } from './known-files';

/** The file of a scenario as the export writes it. */
export interface PlannedFile {
  readonly scenario: Scenario;
  /** Path in the folder, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The file that is there; null when it is new. */
  readonly known: KnownFile | null;
  readonly isSame: boolean;
}

export interface ExportPlan {
  readonly files: readonly PlannedFile[];
  /** Files of scenarios that the service does not have. */
  readonly stale: readonly KnownFile[];
}

/**
 * A file for each scenario: the one that an import takes for it, under its name and in its format, else a new one after its
 * category and name. The same scenarios always have the same names.
 * @throws UsageFailure when it is unclear which file is a scenario's, or when that file holds others too
 */
export function planExport(scenarios: readonly Scenario[], known: KnownFiles, format: FileFormat): ExportPlan {
  const own = ownFiles(scenarios, known);
  const keys = keysOf(scenarios);
  const names = new FreeNames([...known.alone, ...known.listed].map(({ path }) => path));
  const files = scenarios
    .map((scenario) => {
      const key = keys.get(scenario) ?? null;
      return { scenario, key, identity: key ?? scenario.name };
    })
    .sort((one, other) => (one.identity < other.identity ? -1 : 1))
    .map(({ scenario, key }): PlannedFile => {
      const found = own.get(scenario) ?? null;
      const stem = `${slugOf(scenario.category)}/${slugOf(scenario.name)}`;
      const path = found?.path ?? names.take(stem, found?.format ?? format);
      const $schema = schemaOf(found, path);
      const text = scenarioFileText({ $schema, ...fileOfScenario(scenario, key) }, found?.format ?? format);
      return { scenario, path, text, known: found, isSame: found !== null && saysTheSame(found.entry, scenario) };
    });
  const kept = new Set(files.map(({ known: file }) => file));
  return { files, stale: known.alone.filter((file) => !kept.has(file)) };
}

/** The file of each scenario, found as an import finds it: by key, id or name. @throws UsageFailure */
function ownFiles(scenarios: readonly Scenario[], { alone, listed }: KnownFiles): ReadonlyMap<Scenario, KnownFile> {
  const matches = matchEntries(
    [...alone, ...listed].map(({ entry }) => entry),
    scenarios,
  );
  for (const { path, how, entry } of listed) {
    const match = matches.get(entry) ?? null;
    if (match === null) continue;
    throw refusal(
      `${shortened(path, 300)} holds "${shortened(entry.fields.name, 80)}" ${how}: an export writes a file for each scenario. Move it out of the folder.`,
    );
  }
  const own = new Map<Scenario, KnownFile>();
  for (const file of alone) {
    const match = matches.get(file.entry) ?? null;
    if (match === null) continue;
    if (isMatchProblem(match)) throw refusal(`${shortened(match.where, 300)}: ${match.problem}.`);
    own.set(match, file);
  }
  return own;
}

function refusal(sentence: string): UsageFailure {
  return new UsageFailure(`${sentence} Nothing was written.`);
}

/** Whether a file says the same, apart from fields that it leaves out. A file written by hand, perhaps with comments, is then kept. */
function saysTheSame(entry: ImportEntry, scenario: Scenario): boolean {
  const { steps } = planImport([entry], [scenario], false);
  if (steps[0]?.kind !== 'unchanged') return false;
  const approved = entry.approved ?? false;
  const { approved_by = null, approved_role = null } = approved ? (entry.signature ?? {}) : {};
  const said: object = { ...entry.fields, approved, approved_by, approved_role };
  return canonical({ ...scenario, ...said }) === canonical(scenario);
}

function canonical(scenario: Scenario): string {
  return JSON.stringify(canonicalScenario(fileOfScenario(scenario, null)));
}

/** The schema as the file names it, else where the export puts it. */
function schemaOf(found: KnownFile | null, path: string): string {
  if (typeof found?.schema === 'string') return found.schema;
  return `${'../'.repeat(path.split('/').length - 1)}${SCHEMA_FILE}`;
}
