import type { Selection } from './reach';
import { UNCHANGED_MS } from './reach';
import type { SpecProcess, SpecResult } from './spec-process';

/** Killed by a failing test, or by the time limit; `not run`: no test reaches the place; `not tried`: its tests fail without it too. */
export type Outcome = 'killed' | 'timed out' | 'survived' | 'not run' | 'not tried';

/** A process that has run so many mutants may have collected what they left. */
const MUTANTS_PER_PROCESS = 100;
/** How much longer tests may take with a mutant than without, and how much more often they may reach its place: a loop that never ends. */
const FACTOR = 5;
const MARGIN_MS = 5_000;
const MARGIN_HITS = 1_000;
/** A new process loads the code first. */
const LOADING_MS = 30_000;

/** Tests that a mutant is tried with before a new process is started for it. */
const QUICK_MS = 5_000;

/**
 * Tries mutants with few tests in a process that earlier ones were tried in, and those that survive with all tests in a new one: an earlier mutant,
 * or a value that is worked out once and kept, may hide a fault. It may also break tests: a failure counts if the same tests pass without the
 * mutant directly afterwards, or if they fail with it in a new process.
 */
export class Trials {
  private tried = 0;
  /** Specs some of whose tests fail when they are run without the others. */
  private readonly inseparable = new Set<string>();

  constructor(private readonly runs: SpecProcess) {}

  /** @param selections the quickest first */
  async outcomeOf(mutant: string, selections: readonly Selection[]): Promise<Outcome> {
    if (selections.length === 0) return 'not run';
    if (this.tried++ % MUTANTS_PER_PROCESS === 0) await this.runs.replace();
    if (!this.runs.isNew) {
      const outcome = await this.tryAll(mutant, quickOf(selections));
      if (outcome !== 'survived') return outcome;
      await this.runs.replace();
    }
    return this.tryAll(mutant, selections);
  }

  private async tryAll(mutant: string, selections: readonly Selection[]): Promise<Outcome> {
    for (const selection of selections) {
      const outcome = await this.tryOne(mutant, this.separable(selection));
      if (outcome !== 'survived') return outcome;
    }
    return 'survived';
  }

  private async tryOne(mutant: string, selection: Selection): Promise<Outcome> {
    const result = await this.run(mutant, selection);
    const outcome = outcomeOf(result, selection);
    // A loop that never ends does not do so because of an earlier mutant; what is merely late may be.
    if (outcome === 'survived' || (outcome === 'timed out' && result !== 'too late')) return outcome;
    if (outcome === 'killed' && passes(await this.control(untilFailure(selection, result)))) return outcome;
    await this.runs.replace();
    if (passes(await this.control(selection))) {
      await this.runs.replace();
      return outcomeOf(await this.run(mutant, selection), selection);
    }
    if (selection.tests === null) return 'not tried';
    this.inseparable.add(selection.spec);
    return this.tryOne(mutant, this.separable(selection));
  }

  private separable(selection: Selection): Selection {
    return this.inseparable.has(selection.spec) ? { ...selection, tests: null, ms: selection.wholeMs } : selection;
  }

  private run(mutant: string, { spec, tests, ms, hits }: Selection): Promise<SpecResult> {
    const limit = FACTOR * ms + MARGIN_MS + (this.runs.isNew ? LOADING_MS : 0);
    return this.runs.run({ spec, tests, mutant, hitLimit: mostHits(hits) }, limit);
  }

  /** The same tests against unchanged code. */
  private control({ spec, tests }: Selection): Promise<SpecResult> {
    return this.runs.run({ spec, tests, mutant: null, hitLimit: Infinity }, UNCHANGED_MS);
  }
}

function outcomeOf(result: SpecResult, selection: Selection): Outcome {
  if (result === 'crashed') return 'killed';
  if (result === 'too late' || result.hits > mostHits(selection.hits)) return 'timed out';
  return result.failure === null ? 'survived' : 'killed';
}

function mostHits(hits: number): number {
  return FACTOR * hits + MARGIN_HITS;
}

function quickOf(selections: readonly Selection[]): Selection[] {
  let total = 0;
  return selections.filter(({ ms }, place) => (total += ms) < QUICK_MS || place === 0);
}

/** Those of the tests that were run before one had failed, and that one. */
function untilFailure(selection: Selection, result: SpecResult): Selection {
  if (typeof result === 'string' || result.tests.length === 0) return selection;
  return { ...selection, tests: result.tests.map(({ name }) => name) };
}

function passes(result: SpecResult): boolean {
  return typeof result !== 'string' && result.failure === null;
}
