import type { Scenario } from '../connection/answers';
import { shortened } from '../output/harmless-text';
import { IMPORT_KEY, type ImportEntry, type ImportProblem } from './entry';

/** The scenario of the service that a line is about; null when the line makes a new one. */
export type Match = Scenario | null;

/** More are counted, not listed. */
const MOST_IDS = 5;

/**
 * The scenario of the service that each line is about: the one with its key, else the one that it names by id (an export gives the id as
 * the key where the name is not unique), else the one with its name. A name decides only where no key does: two scenarios with the same
 * name and different keys are two scenarios.
 */
export function matchEntries(
  entries: readonly ImportEntry[],
  stored: readonly Scenario[],
): ReadonlyMap<ImportEntry, Match | ImportProblem> {
  const byKey = firstBy(stored, importKeyOf);
  const byId = firstBy(stored, ({ scenario_id }) => scenario_id);
  const matches = new Map<ImportEntry, Match | ImportProblem>();
  const lineOf = new Map<Scenario, string>();
  const take = (entry: ImportEntry, scenario: Scenario): void => {
    const earlier = lineOf.get(scenario);
    matches.set(entry, earlier === undefined ? scenario : secondLine(entry, scenario, earlier));
    if (earlier === undefined) lineOf.set(scenario, entry.where);
  };
  for (const entry of entries) {
    const found = byKey.get(entry.key) ?? byId.get(entry.scenarioId ?? entry.key);
    if (found !== undefined) take(entry, found);
  }
  const byName = allByName(stored);
  for (const entry of entries) {
    if (matches.has(entry)) continue;
    const named = (byName.get(entry.fields.name) ?? []).filter(
      (scenario) => !lineOf.has(scenario) && !(entry.isKeyed && hasKeyOfItsOwn(scenario)),
    );
    const [only, ...others] = named;
    if (only === undefined) matches.set(entry, null);
    else if (others.length === 0) take(entry, only);
    else matches.set(entry, ambiguous(entry, named));
  }
  return matches;
}

/** The key that the service keeps with a scenario, from the import that created it. */
export function importKeyOf({ content }: Scenario): string | undefined {
  const key = content[IMPORT_KEY];
  return typeof key === 'string' ? key : undefined;
}

/** Whether its key was given, and not derived from its name or id. */
function hasKeyOfItsOwn(scenario: Scenario): boolean {
  const key = importKeyOf(scenario);
  return key !== undefined && key !== scenario.name && key !== scenario.scenario_id;
}

function firstBy(
  stored: readonly Scenario[],
  keyOf: (scenario: Scenario) => string | undefined,
): ReadonlyMap<string, Scenario> {
  const found = new Map<string, Scenario>();
  for (const scenario of stored) {
    const key = keyOf(scenario);
    if (key !== undefined && !found.has(key)) found.set(key, scenario);
  }
  return found;
}

function allByName(stored: readonly Scenario[]): ReadonlyMap<string, readonly Scenario[]> {
  const found = new Map<string, Scenario[]>();
  for (const scenario of stored) {
    const same = found.get(scenario.name);
    if (same === undefined) found.set(scenario.name, [scenario]);
    else same.push(scenario);
  }
  return found;
}

function secondLine({ where }: ImportEntry, { name }: Scenario, earlier: string): ImportProblem {
  const problem = `is about the same scenario of the service as ${earlier} ("${shortened(name, 80)}"): leave one of them out`;
  return { where, problem };
}

function ambiguous({ where }: ImportEntry, named: readonly Scenario[]): ImportProblem {
  const ids = named.slice(0, MOST_IDS).map(({ scenario_id }) => scenario_id);
  const more = named.length > MOST_IDS ? ` and ${named.length - MOST_IDS} more` : '';
  const problem =
    `${named.length} scenarios of the service have its name: say which one it updates with a \`scenario_id\`, ` +
    `or delete all but one (${ids.join(', ')}${more})`;
  return { where, problem };
}

export function isMatchProblem(match: Scenario | ImportProblem): match is ImportProblem {
  return 'problem' in match && 'where' in match;
}
