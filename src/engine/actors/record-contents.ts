import type { Turn } from '../../domain/conversation';
import type { ExecutionRecord } from '../ledger/execution-record';
import type { Json } from '../../agents/provider';
import type { PatientScenario } from '../../domain/scenario';

/** The scenario as the patient reads it: fields that were left out, or have another shape, are empty. */
export function scenarioOf({ scenario: { name, content } }: Pick<ExecutionRecord, 'scenario'>): PatientScenario {
  const { script, chief_complaint, demographics } = content;
  return {
    name,
    content: {
      ...content,
      script: typeof script === 'string' ? script : '',
      chief_complaint: typeof chief_complaint === 'string' ? chief_complaint : '',
      demographics: typeof demographics === 'object' && demographics !== null ? { ...demographics } : {},
    },
  };
}

/** Where the provider left the conversation after the last recorded turn; null at its beginning. */
export function continuationOf(turns: readonly Turn[]): Json {
  return toJson(turns.at(-1)?.continuation);
}

/** Continuations are read back from a json column, so they are JSON already. */
function toJson(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toJson(part)]));
  }
  return null;
}
