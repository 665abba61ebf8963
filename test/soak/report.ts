import { appendFileSync, writeFileSync } from 'node:fs';
import Table from 'cli-table3';
import type { Footprint } from './footprint';
import type { PlayedHistory } from './history';
import type { Leftovers } from './leftovers';
import type { Plan } from './plan';

/** Tells of a soak while it runs, and sums it up. */
export class SoakReport {
  private readonly histories: PlayedHistory[] = [];
  private readonly leftovers: string[] = [];
  private orphaned = 0;
  /** By cluster: of its processes after the first minute and after the last history. */
  private readonly footprints = new Map<number, { readonly first: readonly Footprint[]; last: readonly Footprint[] }>();
  private readonly broken: number[] = [];

  /** @param logFile gets one line of JSON for every history; null: none */
  constructor(private readonly logFile: string | null) {
    if (logFile !== null) writeFileSync(logFile, '');
  }

  get violations(): number {
    return this.histories.reduce(
      (sum, { violations }) => sum + violations.length,
      this.leftovers.length + this.broken.length,
    );
  }

  addHistory(history: PlayedHistory): void {
    this.histories.push(history);
    this.log({ type: 'history', ...history });
    const { number, violations, runs, scenarioRuns, attempts, tookMs, settledAfterMs, plan } = history;
    const hurts = [...hurtsOf(plan)].map(([what, count]) => `${count} ${what}`).join(', ');
    const verdict = violations.length === 0 ? 'ok' : `${violations.length} VIOLATIONS`;
    const times = `${seconds(tookMs)}, settled ${seconds(settledAfterMs)} after the last hurt`;
    print(
      `history ${number}: ${verdict}; ${runs} runs of ${scenarioRuns} scenarios, ${attempts} attempts; ${hurts}; ${times}`,
    );
    for (const violation of violations) print(`  ! ${violation}`);
  }

  /** A history that could not be played to its end. */
  addBroken(number: number, error: unknown): void {
    this.broken.push(number);
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.log({ type: 'broken', number, reason });
    print(`history ${number}: NOT PLAYED TO ITS END: ${reason}`);
  }

  addLeftovers({ violations, orphaned }: Leftovers): void {
    this.leftovers.push(...violations);
    this.orphaned += orphaned;
    this.log({ type: 'leftovers', violations, orphaned });
    for (const violation of violations) print(`  ! at the end: ${violation}`);
  }

  /** The first of a cluster are those after the first minute, the last those at its end. */
  addFootprints(place: number, found: readonly Footprint[]): void {
    this.log({ type: 'footprints', place, found });
    const known = this.footprints.get(place);
    if (known === undefined) this.footprints.set(place, { first: found, last: found });
    else known.last = found;
  }

  /** The last lines. */
  sumUp(seed: string): void {
    const table = new Table({ head: ['what', 'count'], style: { head: [], border: [], compact: true } });
    const sum = (read: (history: PlayedHistory) => number) => this.histories.reduce((all, one) => all + read(one), 0);
    const stalled = this.histories.filter(({ longestStallMs }) => longestStallMs > 600).length;
    table.push(
      ['histories', this.histories.length],
      ['runs', sum(({ runs }) => runs)],
      ['canceled runs', sum(({ canceled }) => canceled)],
      ['scenario runs', sum(({ scenarioRuns }) => scenarioRuns)],
      ['attempts at them', sum(({ attempts }) => attempts)],
      ['outside calls', sum(({ calls }) => calls)],
    );
    const hurts = new Map<string, number>();
    for (const { plan } of this.histories) {
      for (const [what, count] of hurtsOf(plan)) hurts.set(what, (hurts.get(what) ?? 0) + count);
    }
    for (const [what, count] of [...hurts].sort(([one], [other]) => one.localeCompare(other)))
      table.push([what, count]);
    const settled = this.histories.map(({ settledAfterMs }) => settledAfterMs).sort((one, other) => one - other);
    table.push(
      ['settled after the last hurt, median', seconds(settled[Math.floor(settled.length / 2)] ?? 0)],
      ['settled after the last hurt, longest', seconds(settled.at(-1) ?? 0)],
      ['histories too stalled to judge moments', stalled],
      ['messages orphaned by a killed NATS', this.orphaned],
      ['histories not played to their end', this.broken.length],
      ['violations', this.violations],
    );
    print(table.toString());
    this.tellFootprints();
    print(`seed ${seed}`);
    const failed = this.histories.filter(({ violations }) => violations.length > 0).map(({ number }) => number);
    for (const number of [...failed, ...this.broken])
      print(`play it again: npm run soak -- --seed ${seed} --only ${number}`);
  }

  /** A process that was killed in between is another one: its age says so. */
  private tellFootprints(): void {
    const head = ['process', 'when', 'age, s', 'heap, MiB', 'resident, MiB', 'resources', 'descriptors', 'threads'];
    const table = new Table({ head, style: { head: [], border: [], compact: true } });
    for (const [place, { first, last }] of this.footprints) {
      for (const number of last.keys()) {
        for (const [when, one] of [
          ['first minute', first[number]],
          ['end', last[number]],
        ] as const) {
          if (one === undefined) continue;
          const { age, heap, resident, resources, descriptors, threads } = one;
          const cells = [age, heap, resident ?? '', resources, descriptors ?? '', threads ?? ''];
          table.push([`${place + 1}.${number + 1}`, when, ...cells]);
        }
      }
    }
    if (table.length > 0) print(table.toString());
  }

  private log(entry: object): void {
    if (this.logFile !== null) appendFileSync(this.logFile, `${JSON.stringify(entry)}\n`);
  }
}

/** How often each thing happens in a history. */
function hurtsOf({ members, servers, runs }: Plan): Map<string, number> {
  const names = [
    ...members.flat().map(({ hurt }) => ('to' in hurt ? `${hurt.kind} ${hurt.to}` : hurt.kind)),
    ...servers.map(({ hurt }) =>
      'deletesStorage' in hurt && hurt.deletesStorage ? 'nats loses its storage' : hurt.kind,
    ),
    ...runs.flatMap(({ cancel, scheduledIn }) => [
      ...(cancel === null ? [] : ['cancel']),
      ...(scheduledIn === null ? [] : ['scheduled run']),
    ]),
  ];
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
