import {
  AggregatorRegistry,
  type Aggregator,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import {
  type CallOutcome,
  CATALOGUE,
  METRICS,
  NAMED,
  OTHER,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelsOf,
  type MetricName,
} from './catalogue';
import { Metrics, type OutsideCall, type Reading } from './metrics';

type Labels = Readonly<Record<string, unknown>>;

interface Question {
  readonly gauge: Gauge;
  readonly name: GaugeName;
  readonly read: () => readonly Reading<GaugeName>[] | Promise<readonly Reading<GaugeName>[]>;
  /** Null: missing. */
  readonly unanswered: readonly Reading<GaugeName>[] | null;
}

/** Counters of no more series than this begin at 0, so that their first increase is seen as one. */
const MOST_ZEROS = 32;
/** Gauges that ask the database do not hold a scrape up for longer. */
const READ_WITHIN_MS = 2_000;

/** Counts for Prometheus. Each application has its own registry. */
export class PrometheusMetrics extends Metrics {
  private readonly registry = new Registry();
  private readonly counters = new Map<string, Counter>();
  private readonly gauges = new Map<string, Gauge>();
  private readonly histograms = new Map<string, Histogram>();
  private readonly reads: Question[] = [];
  private readonly allowed = new Map<MetricName, Readonly<Record<string, ReadonlySet<string>>>>();
  private readonly inFlight = new Map<
    string,
    { readonly labels: LabelsOf<'osce_outside_calls_in_flight'>; calls: number }
  >();
  private watchesProcess = false;
  private gathering: Promise<void> | null = null;

  /** @param named the values of labels that are known only now: the models that the settings name, and the version */
  constructor(named: readonly string[]) {
    super();
    for (const [name, { type, help, labels, buckets = [], together }] of METRICS) {
      const aggregator: Aggregator = together ?? 'sum';
      const values = Object.entries(labels).map(
        ([label, listed]) => [label, listed === NAMED ? named : listed] as const,
      );
      const common = { name, help, labelNames: Object.keys(labels), registers: [this.registry], aggregator };
      if (type === 'counter') this.counters.set(name, withZeros(new Counter(common), values));
      else if (type === 'gauge') this.gauges.set(name, empty(new Gauge(common)));
      else this.histograms.set(name, new Histogram({ ...common, buckets: [...buckets] }));
      this.allowed.set(name, Object.fromEntries(values.map(([label, known]) => [label, new Set(known)])));
    }
    this.gauge('osce_outside_calls_in_flight', () =>
      [...this.inFlight.values()].map(({ labels, calls }) => ({ labels, value: calls })),
    );
  }

  /** The media type of the text that `scrape` answers with. */
  get contentType(): string {
    return this.registry.contentType;
  }

  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, amount = 1): void {
    // Prometheus knows no counter that goes back; NaN would stay in it for ever.
    if (amount >= 0) this.counters.get(name)?.inc(this.bounded(name, labels), amount);
  }

  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number): void {
    if (Number.isFinite(value)) this.histograms.get(name)?.observe(this.bounded(name, labels), Math.max(0, value));
  }

  gauge<Name extends GaugeName>(
    name: Name,
    read: () => readonly Reading<Name>[] | Promise<readonly Reading<Name>[]>,
    unanswered: readonly Reading<Name>[] | null = null,
  ): void {
    const gauge = this.gauges.get(name);
    if (gauge !== undefined) this.reads.push({ gauge, name, read, unanswered });
  }

  callBegan(call: OutsideCall): (outcome: CallOutcome) => void {
    const began = performance.now();
    const { to, kind } = call;
    const key = `${to} ${kind}`;
    const flight = this.inFlight.get(key) ?? { labels: { to, kind }, calls: 0 };
    this.inFlight.set(key, flight);
    flight.calls += 1;
    return (outcome) => {
      flight.calls -= 1;
      this.observe('osce_outside_call_duration_seconds', { ...call, outcome }, (performance.now() - began) / 1_000);
    };
  }

  /** Everything in Prometheus' text format. A scrape during another gets the same text: gauges are emptied first. */
  async scrape(): Promise<string> {
    await this.gather();
    return this.registry.metrics();
  }

  /** The same as JSON, to be put together with those of other processes. */
  async readings(): Promise<readonly object[]> {
    await this.gather();
    return this.registry.getMetricsAsJSON();
  }

  private gather(): Promise<void> {
    this.gathering ??= this.readAll().finally(() => (this.gathering = null));
    return this.gathering;
  }

  private async readAll(): Promise<void> {
    // The process itself is watched from the first scrape on: it costs a little, also between scrapes.
    if (!this.watchesProcess) collectDefaultMetrics({ register: this.registry });
    this.watchesProcess = true;
    for (const { gauge } of this.reads) empty(gauge);
    await Promise.all(this.reads.map((question) => this.read(question)));
  }

  private async read({ gauge, name, read, unanswered }: Question): Promise<void> {
    const tell = (readings: readonly Reading<GaugeName>[]): void => {
      for (const { labels, value } of readings) gauge.set(this.bounded(name, labels), value);
    };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('A gauge took too long.')), READ_WITHIN_MS);
    });
    try {
      tell(await Promise.race([Promise.resolve().then(read), late]));
    } catch {
      if (unanswered === null) this.count('osce_metrics_failures_total', {});
      else tell(unanswered);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The labels, with `other` in place of what the catalogue does not list. */
  private bounded(name: MetricName, labels: Labels): Record<string, string> {
    const allowed = this.allowed.get(name) ?? {};
    const bounded: Record<string, string> = {};
    for (const label of Object.keys(CATALOGUE[name].labels)) {
      const value = labels[label];
      bounded[label] = typeof value === 'string' && allowed[label]?.has(value) === true ? value : OTHER;
    }
    return bounded;
  }
}

/** The readings of several processes as those of one: each metric is added up, or taken as the catalogue says. */
export function puttingTogether(readings: readonly (readonly object[])[]): Promise<string> {
  return AggregatorRegistry.aggregate(readings.map((of) => [...of])).metrics();
}

/** A gauge without labels would otherwise say 0 when its question is not answered. */
function empty(gauge: Gauge): Gauge {
  gauge.reset();
  gauge.remove({});
  return gauge;
}

function withZeros(counter: Counter, labels: readonly (readonly [string, readonly string[]])[]): Counter {
  const size = labels.reduce((product, [, values]) => product * values.length, 1);
  if (labels.length === 0 || size > MOST_ZEROS) return counter;
  const series = labels.reduce<Record<string, string>[]>(
    (made, [label, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
  for (const one of series) counter.inc(one, 0);
  return counter;
}
