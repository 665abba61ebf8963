import { STARTER_LIBRARY } from '../../src/domain';
import type { Scenario } from '../connection/answers';
import { IMPORT_KEY, LONGEST_KEY } from '../import/entry';
import { importKeyOf } from '../import/matches';

/** The content of a scenario's file: what an import reads, without what the service has added. */
export type FileFields = Readonly<Record<string, unknown>>;

/** @param key null when the name identifies the scenario */
export function fileOfScenario(scenario: Scenario, key: string | null): FileFields {
  const { name, category, scenario_type, severity, approved, approved_by, approved_role, priority } = scenario;
  const { tags, content, rubric_criteria } = scenario;
  const isSigned = approved_role !== null && approved_role !== undefined && approved_role !== STARTER_LIBRARY;
  return {
    ...(key !== null && { key }),
    ...{ name, category, scenario_type, severity, approved },
    approved_by: approved_by ?? null,
    ...(isSigned && { approved_role }),
    priority: priority ?? null,
    tags,
    // What is no text cannot have come from an import, which would replace it.
    content: usableKeyOf(scenario) === null && importKeyOf(scenario) !== undefined ? content : withoutKey(content),
    rubric_criteria,
  };
}

/**
 * The key that each scenario's file needs, null where the name is enough. An import finds each scenario by it, on this service and on
 * another one that was filled from the files. Where neither its own key nor its name is unique, the key is the scenario's id.
 */
export function keysOf(scenarios: readonly Scenario[]): ReadonlyMap<Scenario, string | null> {
  const owners = new Map<string, Scenario>();
  for (const scenario of scenarios) {
    const own = usableKeyOf(scenario);
    if (own !== null && !owners.has(own)) owners.set(own, scenario);
  }
  const named = new Map<string, number>();
  for (const { name } of scenarios) named.set(name, (named.get(name) ?? 0) + 1);
  return new Map(
    scenarios.map((scenario) => {
      const { name, scenario_id } = scenario;
      const own = usableKeyOf(scenario);
      if (own !== null && owners.get(own) === scenario) return [scenario, own === name ? null : own];
      return [scenario, named.get(name) === 1 && !owners.has(name) ? null : scenario_id];
    }),
  );
}

/** A key that a file may have in its field; any other stays in the content, where an import finds it too. */
function usableKeyOf(scenario: Scenario): string | null {
  const key = importKeyOf(scenario);
  return key !== undefined && key.trim() !== '' && key.length <= LONGEST_KEY ? key : null;
}

function withoutKey(content: FileFields): FileFields {
  const { [IMPORT_KEY]: _key, ...others } = content;
  return others;
}
