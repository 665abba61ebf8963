import { familyOf } from '../../examiners/model/model-family';
import { listNames } from '../../domain/sentence';

export interface NamedModel {
  readonly agent: string;
  readonly model: string;
}

/**
 * Models judge their own kind more kindly (Panickssery and others, "LLM Evaluators Recognize and Favor Their Own Generations", 2024),
 * and a patient of the same kind asks what its kind likes to be asked. One sentence about it; null when there is nothing to warn of.
 */
export function familyWarning(
  tester: string | null,
  judge: string | null,
  agents: readonly NamedModel[],
): string | null {
  const family = judge === null ? null : familyOf(judge);
  if (family === null) return null;
  const related = agents.filter(({ model }) => familyOf(model) === family).map(({ agent }) => agent);
  if (related.length === 0) return null;
  const examiners = tester !== null && familyOf(tester) === family ? 'Patient, judge' : 'The judge';
  const agentNames = `${related.length === 1 ? 'the agent' : 'the agents'} ${listNames(related)}`;
  return (
    `${examiners} and ${agentNames} are of one model family (${family}): models favour their own kind. ` +
    'Name a judge of another family in JUDGE_MODEL, or as judge_model of a run.'
  );
}
