/** What a process that runs specs is told once: the text that it is to compile instead of a file's own, by the file's path. */
export interface Instrumented {
  readonly sources: readonly (readonly [path: string, text: string])[];
  readonly seed: number;
}

/** Tests of one spec, to be run until the first of them fails. */
export interface SpecRequest {
  readonly spec: string;
  /** By their full names; null is all of them. */
  readonly tests: readonly string[] | null;
  /** The fault that the code has meanwhile; null is none. */
  readonly mutant: string | null;
  /** How often the mutated place may be reached: a loop that never ends goes beyond it. */
  readonly hitLimit: number;
}

export interface SpecAnswer {
  /** With the start of what the spec needs, and its end. */
  readonly ms: number;
  readonly tests: readonly TestTime[];
  /** What the first failure says. */
  readonly failure: string | null;
  /** How often the place of the mutant was reached while the code had it. */
  readonly hits: number;
  /** How often the place of each mutant was reached: by each test, between tests (under a blank name), or while files were loaded. */
  readonly reached: Reached;
}

export interface TestTime {
  readonly name: string;
  readonly ms: number;
}

export interface Reached {
  readonly static: Readonly<Record<string, number>>;
  readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
}
