/** The fields of a run that are read, in the API's names. */
interface Examined {
  readonly id: string;
  readonly agent_id: string;
  readonly status: string;
  readonly created_at: string;
}

/** An agent with runs that can be compared. */
export interface ExaminedAgent {
  readonly agent_id: string;
  /** Its newest run that has ended: as long as it is the same, so is the agent's history. */
  readonly newest: string;
}

const AGENTS_AT_MOST = 6;
const ENDED: readonly string[] = ['completed', 'failed', 'canceled'];

/** Agents with more than one completed run, the one that was examined last first. */
export function agentsWithTrends(runs: readonly Examined[]): ExaminedAgent[] {
  const found = new Map<string, Examined[]>();
  for (const run of [...runs].sort((one, other) => other.created_at.localeCompare(one.created_at))) {
    if (ENDED.includes(run.status)) found.set(run.agent_id, [...(found.get(run.agent_id) ?? []), run]);
  }
  return [...found]
    .filter(([, ended]) => ended.filter(({ status }) => status === 'completed').length > 1)
    .map(([agent_id, ended]) => ({ agent_id, newest: ended[0]?.id ?? '' }))
    .slice(0, AGENTS_AT_MOST);
}

/** The fields of a point that are read, in the API's names. */
interface Placed {
  readonly test_run_id: string;
  readonly graded_pass_rate: { readonly value: number } | null;
  readonly comparable_to: string | null;
}

/** A line from one point to another, by their indexes. */
export interface Join {
  readonly from: number;
  readonly to: number;
  /** Points of the pass rate. */
  readonly change: number;
}

/** Which points may be joined by a line: those made under the same conditions, and no others. */
export function joinsOf(points: readonly Placed[]): Join[] {
  const places = new Map(points.map(({ test_run_id }, place) => [test_run_id, place]));
  return points.flatMap(({ comparable_to, graded_pass_rate: rate }, to) => {
    const from = places.get(comparable_to ?? '');
    const was = from === undefined ? null : (points[from]?.graded_pass_rate ?? null);
    return from === undefined || was === null || rate === null ? [] : [{ from, to, change: rate.value - was.value }];
  });
}

const WORDS: Readonly<Record<string, string>> = {
  coverage: 'too few verdicts',
  max_turns: 'a different number of turns',
  modality: 'text against voice',
  pass_threshold: 'a different pass threshold',
  region: 'a different region',
  spoken: 'another voice, line or ear',
  trials: 'a different number of trials',
};

/** What differs between two runs besides the agent, in words: `other scenarios, a different number of trials`. */
export function differencesInWords(differs: readonly string[]): string {
  return differs.map((one) => WORDS[one] ?? `other ${one.replaceAll('_', ' ')}`).join(', ');
}
