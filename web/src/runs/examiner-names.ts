import type { ScenarioRunMetadata } from '../../../contract/scenario-run-metadata';

/** The patient and the judge, from the metadata of the first scenario run that names them; null when none does. */
export function examinerNames(scenarioRuns: readonly { readonly metadata: ScenarioRunMetadata }[]): string | null {
  for (const { metadata } of scenarioRuns) {
    const { tester, judge } = metadata;
    if (tester && judge) return `${nameOf(tester)} and ${nameOf(judge)}`;
  }
  return null;
}

function nameOf({ name, model }: NonNullable<ScenarioRunMetadata['tester']>): string {
  return model === null ? name : `${name} ${model}`;
}
