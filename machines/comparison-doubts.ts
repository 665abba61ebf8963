/** The fields of a run that bear on a comparison, in the API's names. */
export interface ComparedRun {
  readonly status: string;
  readonly error_count: number;
  readonly trials: number;
  readonly max_turns?: number | null | undefined;
  readonly pass_threshold?: number | null | undefined;
}

interface Side {
  readonly run: ComparedRun;
  readonly scenarioRuns: readonly {
    readonly scenario_id: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  }[];
}

/** What makes two pass rates say less than they seem to: sentences, none when the runs are alike. */
export function doubtsAbout(before: Side, after: Side): string[] {
  const doubts: string[] = [];
  for (const [side, { run }] of [['before', before] as const, ['after', after] as const]) {
    if (run.status !== 'completed') {
      doubts.push(`The run ${side} is ${run.status}: its pass rate is not that of a whole run.`);
    }
    if (run.error_count > 0) {
      doubts.push(`In the run ${side}, ${run.error_count} ended in error and count as not passed.`);
    }
  }
  if (!isSameSet(idsOf(before), idsOf(after))) doubts.push('The runs had different scenarios.');
  const compare = (what: string, was: unknown, is: unknown, unit = ''): void => {
    if (was !== is) doubts.push(`${what}: ${String(was)}${unit} before, ${String(is)}${unit} after.`);
  };
  compare('Trials', before.run.trials, after.run.trials);
  compare('Turns', before.run.max_turns, after.run.max_turns);
  compare('Pass threshold', before.run.pass_threshold, after.run.pass_threshold, ' %');
  const [was, is] = [castOf(before.scenarioRuns), castOf(after.scenarioRuns)];
  // A run that ended before it began has no known patient or judge.
  if (was !== null && is !== null) compare('Patient and judge', was, is);
  return doubts;
}

function idsOf({ scenarioRuns }: Side): Set<string> {
  return new Set(scenarioRuns.map(({ scenario_id }) => scenario_id));
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}

/** The patient and the judge, from the metadata of the first scenario run that names them; null when none does. */
export function castOf(
  scenarioRuns: readonly { readonly metadata: Readonly<Record<string, unknown>> }[],
): string | null {
  for (const { metadata } of scenarioRuns) {
    const cast = [metadata['tester'], metadata['judge']].map(nameOf);
    if (cast.every((name) => name !== null)) return cast.join(' and ');
  }
  return null;
}

function nameOf(maker: unknown): string | null {
  if (typeof maker !== 'object' || maker === null || !('name' in maker) || typeof maker.name !== 'string') return null;
  return 'model' in maker && typeof maker.model === 'string' ? `${maker.name} ${maker.model}` : maker.name;
}
