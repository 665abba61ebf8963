import type { Decision, Evidence } from '../../domain';

/** What a check decides, and by what. */
export interface Ruling {
  readonly decision: Exclude<Decision, 'PARTIALLY MET'>;
  readonly rationale: string;
  /** The agent's own words. */
  readonly evidence: readonly Evidence[];
  /** How many replies were searched without finding anything; null where something was found, or nothing was searched for. */
  readonly absentFrom: number | null;
}
