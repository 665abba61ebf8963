import type { CallOutcome, CounterName, GaugeName, HistogramName, LabelsOf } from './catalogue';

/** A call to the world outside: `to` which server, by which `kind` of agent or API, and for what. */
export type OutsideCall = Omit<LabelsOf<'osce_outside_call_duration_seconds'>, 'outcome'>;

export interface Reading<Name extends GaugeName> {
  readonly labels: LabelsOf<Name>;
  readonly value: number;
}

/**
 * Port: what the service counts for its operator. Names, labels and all their values are in the catalogue; a new metric is a line there.
 * Nothing here waits or throws.
 */
export abstract class Metrics {
  abstract count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, amount?: number): void;
  abstract observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /**
   * Asked at each scrape and not in between. A gauge whose question fails or takes too long is missing from that scrape, unless `unanswered`
   * says what that means.
   */
  abstract gauge<Name extends GaugeName>(
    name: Name,
    read: () => readonly Reading<Name>[] | Promise<readonly Reading<Name>[]>,
    unanswered?: readonly Reading<Name>[],
  ): void;
  /** A call begins; call what it returns once, when the call has ended. */
  abstract callBegan(call: OutsideCall): (outcome: CallOutcome) => void;
}

class SilentMetrics extends Metrics {
  count(): void {}
  observe(): void {}
  gauge(): void {}
  callBegan(): () => void {
    return () => undefined;
  }
}

/** Counts nothing. */
export const silentMetrics: Metrics = new SilentMetrics();
