import { join } from 'node:path';
import type { SpecAnswer } from './messages';
import { SpecProcess } from './spec-process';

const ROOT = join(__dirname, '..', '..');
/** For a spec against unchanged code, whatever else the machine does. */
export const UNCHANGED_MS = 600_000;

/** Tests of one spec that reach a mutant's place. */
export interface Selection {
  readonly spec: string;
  /** By name; null is all of them, where the place is reached before or after all tests. */
  readonly tests: readonly string[] | null;
  /** How long they take against unchanged code. */
  readonly ms: number;
  /** How long all tests of the spec take. */
  readonly wholeMs: number;
  /** How often they reach the place. */
  readonly hits: number;
}

/** Which tests reach which mutant's place, as a run against unchanged code has shown. */
export class Reach {
  private readonly byMutant = new Map<string, Selection[]>();
  private readonly loaded = new Set<string>();

  /** Leaves out specs that fail against unchanged code, and tells why they do: what they would have noticed counts as unnoticed. */
  static async of(specs: readonly string[], runs: SpecProcess, tell: (line: string) => void): Promise<Reach> {
    const reach = new Reach();
    for (const spec of specs) {
      const request = { spec: join(ROOT, spec), tests: null, mutant: null, hitLimit: Infinity };
      const answer = await runs.run(request, UNCHANGED_MS);
      if (typeof answer === 'string' || answer.failure !== null) {
        const failure = typeof answer === 'string' ? answer : answer.failure;
        tell(`left out: ${spec} fails against unchanged code: ${failure}\n`);
        continue;
      }
      tell(`${(answer.ms / 1000).toFixed(1)} s ${spec}\n`);
      reach.add(join(ROOT, spec), answer);
    }
    return reach;
  }

  /** The quickest first. */
  selections(mutant: string): readonly Selection[] {
    return [...(this.byMutant.get(mutant) ?? [])].sort((one, other) => one.ms - other.ms);
  }

  /** Whether its place is reached only while files are loaded, which a process does once for all tests. */
  isOnlyLoaded(mutant: string): boolean {
    return this.loaded.has(mutant) && !this.byMutant.has(mutant);
  }

  private add(spec: string, { ms, tests, reached }: SpecAnswer): void {
    for (const mutant of Object.keys(reached.static)) this.loaded.add(mutant);
    const aside = ms - tests.reduce((sum, test) => sum + test.ms, 0);
    const times = new Map(tests.map((test) => [test.name, test.ms]));
    const places = new Map<string, { readonly names: string[]; hits: number }>();
    for (const [name, hits] of Object.entries(reached.perTest)) {
      for (const [mutant, count] of Object.entries(hits)) {
        const place = places.get(mutant) ?? { names: [], hits: 0 };
        place.names.push(name);
        place.hits += count;
        places.set(mutant, place);
      }
    }
    for (const [mutant, { names, hits }] of places) {
      // A name that no test has: hooks before or after all tests.
      const isWhole = names.some((name) => !times.has(name));
      const own = names.reduce((sum, name) => sum + (times.get(name) ?? 0), 0);
      const selection = { spec, tests: isWhole ? null : names, ms: isWhole ? ms : aside + own, wholeMs: ms, hits };
      this.byMutant.set(mutant, [...(this.byMutant.get(mutant) ?? []), selection]);
    }
  }
}
