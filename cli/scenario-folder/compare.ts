import { canonicalScenario } from '../../src/features/scenarios/files/canonical-scenario';
import type { Scenario } from '../connection/answers';
import { importKeyOf } from '../import/matches';
import type { Step } from '../import/plan';
import { isObject } from '../read-input';
import { fileOfScenario } from './file-of-scenario';

/** A field of a scenario that an import would change; a value is undefined where there is none. */
export interface ChangedField {
  /** Such as `severity` or `content.script`. */
  readonly field: string;
  readonly service: unknown;
  readonly file: unknown;
}

/** What an update would change, field by field, in the order of a file. */
export function changedFields(step: Step & { readonly kind: 'update' }): readonly ChangedField[] {
  const before = fieldsOf(step.stored);
  const after = fieldsOf({ ...step.stored, ...step.body });
  const names = [...new Set([...after.keys(), ...before.keys()])];
  return names.flatMap((field) => {
    const [service, file] = [before.get(field), after.get(field)];
    return JSON.stringify(service) === JSON.stringify(file) ? [] : [{ field, service, file }];
  });
}

function fieldsOf(scenario: Scenario): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>([['key', importKeyOf(scenario)]]);
  for (const [name, value] of Object.entries(canonicalScenario(fileOfScenario(scenario, null)))) {
    if (name !== 'content' || !isObject(value)) fields.set(name, value);
    else for (const [part, inner] of Object.entries(value)) fields.set(`content.${part}`, inner);
  }
  return fields;
}
