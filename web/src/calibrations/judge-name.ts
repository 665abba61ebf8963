import type { ListedCalibration } from '../api/calibrations';

/** `anthropic/claude-opus-4-5`, or `offline judge`. */
export function judgeName({ name, model }: ListedCalibration['judge']): string {
  return model === null ? `${name} judge` : `${name}/${model}`;
}

/** What of the judge is another now, in words; for stale calibrations. */
export function changesText(changed: readonly string[]): string {
  return changed.map((one) => (one === 'model' ? 'another model' : 'other prompts or rules')).join(' and ');
}
