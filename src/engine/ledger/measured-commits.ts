import type { Metrics } from '../../platform/telemetry/metrics/metrics';
import type { CommitEnd } from './group-commit';

/** Counts and times the transactions of one ledger. */
export function measuredCommits(ledger: 'changes' | 'claims', metrics: Metrics): (end: CommitEnd) => void {
  return ({ changes, seconds, outcome }) => {
    metrics.observe('osce_commit_duration_seconds', { ledger, outcome }, seconds);
    if (outcome === 'committed') metrics.observe('osce_commit_changes', { ledger }, changes);
  };
}
