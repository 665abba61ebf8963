import type { Scenario } from '../connection/answers';
import type { ServiceApi } from '../connection/service-api';
import { InterruptedFailure } from '../failure';
import { IMPORT_KEY, type ImportEntry, type ImportProblem } from './entry';
import { undoing, type Step } from './plan';

/** Concurrent requests: enough to be quick, few enough for a service that has other work. */
const AT_ONCE = 4;

/** A step that was carried out, and the scenario that resulted. */
export interface Done {
  readonly step: Step;
  readonly scenario: Scenario;
}

export interface Applied {
  /** In the order of the lines. */
  readonly done: readonly Done[];
  readonly problems: readonly ImportProblem[];
}

export interface ApplyOptions {
  readonly signal: AbortSignal;
  /** Whether to go on after a line that failed; otherwise the first failure ends it. */
  readonly goesOn: boolean;
  readonly onDone: (count: number) => void;
}

/** Carries out the steps. @throws the reason of the interrupt, unless `goesOn` is set; steps already begun have ended by then */
export async function applySteps(api: ServiceApi, steps: readonly Step[], options: ApplyOptions): Promise<Applied> {
  const { signal, goesOn, onDone } = options;
  const made = new Map<Step, Scenario>();
  const problems: ImportProblem[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (!signal.aborted && (goesOn || problems.length === 0)) {
      const step = steps[next];
      if (step === undefined) return;
      next += 1;
      try {
        made.set(step, await apply(api, step));
        onDone(made.size);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        problems.push({ where: step.entry.where, problem });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const done = steps.flatMap((step) => {
    const scenario = made.get(step);
    return scenario === undefined ? [] : [{ step, scenario }];
  });
  return { done, problems };
}

/** An update is based on what the service had when the import began: later changes of the same fields are not overwritten. */
async function apply(api: ServiceApi, step: Step): Promise<Scenario> {
  switch (step.kind) {
    case 'create':
      return api.createScenarioOnce(step.body, step.entry.key);
    case 'update':
      return api.changeScenario(step.stored, step.body);
    case 'unchanged':
      return step.stored;
  }
}

/**
 * Rolls back what was done of a failed import. Created scenarios are looked up by key, so that a scenario is found
 * even if its creation was never answered.
 * @returns how many scenarios could not be restored
 */
export async function undoSteps(api: ServiceApi, steps: readonly Step[], { done }: Applied): Promise<number> {
  let left = 0;
  const attempt = (task: Promise<unknown>): Promise<void> =>
    task.then(
      () => undefined,
      () => {
        left += 1;
      },
    );
  for (const { step, scenario } of done) {
    if (step.kind !== 'update') continue;
    await attempt(api.changeScenario(scenario, undoing(step.stored, step.body)));
  }
  const toCreate = new Set(steps.filter(({ kind }) => kind === 'create').map(({ entry }) => entry.key));
  if (toCreate.size === 0) return left;
  const created = await createdOf(api, toCreate).catch(() => null);
  if (created === null) return left + done.filter(({ step }) => step.kind === 'create').length;
  for (const id of created) await attempt(api.deleteScenario(id));
  return left;
}

async function createdOf(api: ServiceApi, keys: ReadonlySet<string>): Promise<string[]> {
  return (await api.scenarios())
    .filter(({ content }) => {
      const key = content[IMPORT_KEY];
      return typeof key === 'string' && keys.has(key);
    })
    .map(({ scenario_id }) => scenario_id);
}

/** The remarks of all lines, each once with the number of lines it concerns. */
export function remarksOn(entries: readonly ImportEntry[]): string[] {
  const counts = new Map<string, number>();
  for (const { remarks } of entries) {
    for (const remark of remarks) counts.set(remark, (counts.get(remark) ?? 0) + 1);
  }
  return [...counts].map(([remark, count]) => `${count} of ${entries.length} scenarios ${remark}.`);
}

/** The failure of an interrupted import. */
export function interruptedSentence(reason: unknown, outcome: string): InterruptedFailure {
  return new InterruptedFailure(`${reason instanceof Error ? reason.message : 'Interrupted.'} ${outcome}`);
}
