import type { ListedCalibration } from '../api/calibrations';

/** `anthropic/claude-opus-4-5`, or `offline judge`. */
export function judgeName({ name, model }: ListedCalibration['judge']): string {
  return model === null ? `${name} judge` : `${name}/${model}`;
}

/** What has changed about the judge, in words; for stale calibrations. */
export function changesText(changed: readonly string[]): string {
  return changed.map((one) => (one === 'model' ? 'another model' : 'other prompts or rules')).join(' and ');
}
