import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { earlyEndIn } from '../../../src/domain';
import { regradeRun, retryRun, type BegunRun, type Regrade, type RubricChoice } from '../api/derived-runs';
import type { TestRun } from '../api/runs';
import type { ScenarioRun } from '../api/scenario-runs';
import { Field } from '../parts/field';
import { useMay } from '../parts/permissions';
import { Problem } from '../parts/problem';
import { useMaking } from '../parts/use-making';
import type { Saving } from '../parts/saving';
import { retryLabel } from './retry-label';
import { useScenarioRuns } from './use-scenario-runs';

/** Starts derived runs of an ended run: one that repeats its errors, or one that grades its conversations again. */
export function SecondLook({ run }: { readonly run: TestRun }) {
  const mayRun = useMay('run');
  const rows = useScenarioRuns(run).data?.results ?? [];
  const follow = useFollow(run);
  const retry = useMaking((_: object, key) => retryRun(run.id, key), follow);
  const regrade = useMaking((asked: Regrade, key) => regradeRun(run.id, asked, key), follow);
  const label = retryLabel(run);
  const hasConversations = run.passed_count + run.failed_count > 0 || rows.some((row) => isWhole(row, run.max_turns));
  if (!mayRun || (label === null && !hasConversations)) return null;
  return (
    <section className="second-look" aria-label="A second look">
      <div className="actions">
        {label !== null && (
          <button type="button" className="button" disabled={retry.isPending} onClick={() => retry.mutate({})}>
            {label}
          </button>
        )}
        {hasConversations && (
          <button
            type="button"
            className="button"
            disabled={regrade.isPending}
            onClick={() => regrade.mutate({ rubric: 'current' })}
          >
            Grade again with today’s rubric
          </button>
        )}
      </div>
      {hasConversations && <OtherGrading regrade={regrade} />}
      {retry.isError && <Problem error={retry.error} />}
      {regrade.isError && <Problem error={regrade.error} />}
    </section>
  );
}

function OtherGrading({ regrade }: { readonly regrade: Saving<Regrade> }) {
  const [rubric, setRubric] = useState<RubricChoice>('as_run');
  const [judge, setJudge] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const model = judge.trim();
    regrade.mutate({ rubric, ...(model !== '' && { judge_model: model }) });
  };
  return (
    <details>
      <summary>More ways to grade again</summary>
      <form className="form" onSubmit={submit}>
        <div className="form-row">
          <Field label="Rubrics" help="The agent is not called: what it said is graded again.">
            {(control) => (
              <select
                {...control}
                value={rubric}
                onChange={({ target }) => setRubric(target.value === 'current' ? 'current' : 'as_run')}
              >
                <option value="as_run">As they were in this run</option>
                <option value="current">Today’s</option>
              </select>
            )}
          </Field>
          <Field
            label="Judge model"
            optional
            help="Any model in ALLOWED_MODELS. Leave it empty to use this run’s judge."
          >
            {(control) => (
              <input
                {...control}
                maxLength={220}
                spellCheck={false}
                autoCapitalize="none"
                value={judge}
                onChange={({ target }) => setJudge(target.value)}
              />
            )}
          </Field>
        </div>
        <div>
          <button type="submit" className="button" disabled={regrade.isPending}>
            Grade again
          </button>
        </div>
      </form>
    </details>
  );
}

/** Goes to the run that was started. */
function useFollow(source: TestRun): (begun: BegunRun) => void {
  const queries = useQueryClient();
  const [, go] = useLocation();
  return ({ id }) => {
    void queries.invalidateQueries({ queryKey: ['runs'] });
    void queries.invalidateQueries({ queryKey: ['derived-runs', source.id] });
    go(`/runs/${id}`);
  };
}

/** Whether the conversation was held to its end: it has a verdict, or everything that a verdict needs. */
function isWhole({ passed, turns, error_code, metadata }: ScenarioRun, maxTurns: number): boolean {
  if (turns === 0 || error_code === 'tester_failed') return false;
  return passed !== null || turns >= maxTurns || earlyEndIn(metadata) !== null;
}
