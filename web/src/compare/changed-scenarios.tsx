import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { TestRun } from '../api/runs';
import { listScenarioRuns, type ScenarioRun } from '../api/scenario-runs';
import type { ChangedScenario, Comparison } from '../api/statistics';
import { counted, percentText } from '../parts/numbers';
import { Pager } from '../parts/pager';
import { SeverityTag } from '../parts/severity-tag';
import { TrialMarks } from '../parts/trial-marks';
import { Name } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';
import { usePrinting } from '../parts/use-printing';
import { changeWords, isStillFailed } from './change-words';
import { SharedScenarios } from './shared-scenarios';
import { gravestFirst, type Severities } from './use-severities';

const SHOWN_A_PAGE = 20;
/** Pages of scenarios whose conversations are read for printing without being shown. */
const PAGES_READ_UNASKED = 25;

/** More conversations than twenty scenarios can have. */
const CONVERSATIONS_AT_MOST = 2_000;

interface Props {
  readonly base: TestRun;
  readonly head: TestRun;
  readonly comparison: Comparison;
  readonly severities: Severities;
}

/** The scenarios that got worse and those that got better, with the conversations of both runs. */
export function ChangedScenarios({ base, head, comparison: { worse, better, scenarios }, severities }: Props) {
  const of = { base, head, severities };
  const same = scenarios.compared - worse.length - better.length;
  return (
    <>
      <Changed title="Worse" sign="▼" change="worse" {...of} scenarios={worse} />
      <Changed title="Better" sign="▲" change="better" {...of} scenarios={better} />
      {scenarios.compared > 0 && (
        <p className="quiet">
          {counted(same, 'scenario')} did not change: same pass share, score and violations. Single scenarios vary by
          chance, too: only the verdict says whether the agent changed.
        </p>
      )}
      <SharedScenarios base={base} head={head} count={scenarios.compared} />
    </>
  );
}

interface ChangedProps extends Omit<Props, 'comparison'> {
  readonly title: string;
  readonly sign: string;
  readonly change: Change;
  readonly scenarios: readonly ChangedScenario[];
}

function Changed({ title, sign, change, base, head, scenarios: given, severities }: ChangedProps) {
  const [page, setPage] = useState(0);
  const scenarios = useMemo(() => gravestFirst(given, severities), [given, severities]);
  const failed = scenarios.filter(isStillFailed).length;
  const isPrinting = usePrinting();
  const before = useConversations(base.id, scenarios, page, !severities.isPending);
  const after = useConversations(head.id, scenarios, page, !severities.isPending);
  if (scenarios.length === 0) return null;
  return (
    <section className="stack" aria-labelledby={`changed-${change}`}>
      <h2 id={`changed-${change}`}>
        <span className={failed === scenarios.length ? 'change' : `change ${change}`} aria-hidden="true">
          {sign}
        </span>{' '}
        {title}: {counted(scenarios.length, 'scenario')}
        {change === 'better' && failed > 0 && <>, {failed.toLocaleString()} still failed</>}
      </h2>
      <div className="table-frame">
        <table className="rows compared">
          <thead>
            <tr>
              <th scope="col">Scenario</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {(isPrinting ? scenarios : pageOf(scenarios, page)).map(({ scenario_id, scenario_name, ...of }) => (
              <tr key={scenario_id}>
                <th scope="row">
                  <Link href={`/scenarios/${scenario_id}`}>
                    <Name>{scenario_name}</Name>
                  </Link>{' '}
                  <Severity of={severities.of(scenario_id)} />
                  <HowChanged of={of} change={change} />
                  <SideBySide
                    name={scenario_name}
                    change={change}
                    before={before.get(scenario_id) ?? []}
                    after={after.get(scenario_id) ?? []}
                  />
                </th>
                <td data-label="Before">
                  <Fared
                    share={of.before}
                    score={of.score_before}
                    violations={of.violations_before}
                    trials={before.get(scenario_id) ?? []}
                  />
                </td>
                <td data-label="After">
                  <Fared
                    share={of.after}
                    score={of.score_after}
                    violations={of.violations_after}
                    trials={after.get(scenario_id) ?? []}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} pageSize={SHOWN_A_PAGE} total={scenarios.length} onPage={setPage} />
    </section>
  );
}

function Severity({ of }: { readonly of: string | null }) {
  return of === null ? null : <SeverityTag severity={of} />;
}

/** Says whether it passes more or less often; what only moved within what failed, or within what passed, has no colour. */
function HowChanged({ of, change }: { readonly of: Parameters<typeof changeWords>[0]; readonly change: Change }) {
  const { text, isOfPasses } = changeWords(of, change);
  return <p className={`small change ${isOfPasses ? change : ''}`}>{text}</p>;
}

type Change = 'worse' | 'better';

interface BesideProps {
  readonly name: string;
  readonly change: Change;
  readonly before: readonly ScenarioRun[];
  readonly after: readonly ScenarioRun[];
}

/** Leads to the two conversations that show the change best: of a scenario that got worse, the best before and the worst after. */
function SideBySide({ name, change, before, after }: BesideProps) {
  const base = before.toSorted(change === 'worse' ? bestFirst : worstFirst)[0];
  const head = after.toSorted(change === 'worse' ? worstFirst : bestFirst)[0];
  if (base === undefined || head === undefined) return null;
  return (
    <p>
      <Link
        href={`/side-by-side?base=${base.id}&head=${head.id}`}
        className="small"
        aria-label={`Side by side: ${visibleText(name)}`}
      >
        Side by side
      </Link>
    </p>
  );
}

/** Those without a verdict come last either way: they show nothing. */
function bestFirst(one: ScenarioRun, other: ScenarioRun): number {
  return rankOf(other, 1) - rankOf(one, 1);
}

function worstFirst(one: ScenarioRun, other: ScenarioRun): number {
  return rankOf(other, -1) - rankOf(one, -1);
}

function rankOf({ passed, score_percent: score }: ScenarioRun, sign: 1 | -1): number {
  return passed === null ? -Infinity : sign * ((passed ? 1_000 : 0) + (score ?? 0));
}

interface FaredProps {
  readonly share: number;
  /** Percent. */
  readonly score: number | null;
  /** Must-pass violations per conversation. */
  readonly violations: number;
  readonly trials: readonly ScenarioRun[];
}

/** A scenario that never passes may still score lower than before, so its score is shown beside the share of trials that passed. */
function Fared({ share, score, violations, trials }: FaredProps) {
  return (
    <>
      <span className="share">
        <span className="number">{percentText(share * 100)} passed</span>
        <TrialMarks trials={trials} />
      </span>
      <p className="quiet small number">
        {score !== null && `score ${percentText(score)}`}
        {violations > 0 && `, ${VIOLATIONS.format(violations)} must-pass violated`}
      </p>
    </>
  );
}

const VIOLATIONS = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/**
 * The conversations of a run with these scenarios, those of the shown page first; then the others, one page after another, since a
 * print shows all of them and does not wait.
 * @param isOrdered before that, pages would be read that are never shown
 */
function useConversations(runId: string, scenarios: readonly ChangedScenario[], page: number, isOrdered: boolean) {
  const [reach, setReach] = useState(0);
  const pages = Array.from({ length: Math.ceil(scenarios.length / SHOWN_A_PAGE) }, (_, place) =>
    pageOf(scenarios, place).map(({ scenario_id }) => scenario_id),
  );
  const read = useQueries({
    queries: pages.map((scenarioIds, place) => ({
      queryKey: ['scenario-runs', runId, 'of', scenarioIds],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        listScenarioRuns(runId, CONVERSATIONS_AT_MOST, signal, { scenarioIds }),
      enabled: isOrdered && (place === page || place <= reach),
      staleTime: 30_000,
    })),
  });
  const isShownRead = read[page]?.data !== undefined;
  const missing = read.findIndex(({ data }) => data === undefined);
  if (isShownRead && missing > reach && missing < PAGES_READ_UNASKED) setReach(missing);
  const found = new Map<string, ScenarioRun[]>();
  for (const run of read.flatMap(({ data }) => data?.results ?? [])) {
    found.set(run.scenario_id, [...(found.get(run.scenario_id) ?? []), run]);
  }
  return found;
}

function pageOf<Item>(items: readonly Item[], page: number): readonly Item[] {
  return items.slice(page * SHOWN_A_PAGE, (page + 1) * SHOWN_A_PAGE);
}
