import { useMutation } from '@tanstack/react-query';
import { MUST_PASS_TAG, outcomeOf, violatesMustPass, type Decision } from '../../../src/domain';
import { tryScenario, type ScenarioTrial, type TriedScenario } from '../api/scenarios';
import { counted, percentText, pointsText } from '../parts/numbers';
import { Problem } from '../parts/problem';
import { OUTCOME_SIGNS, Status } from '../parts/status';
import { Said } from '../parts/said';
import { Name } from '../parts/untrusted-text';

interface Props {
  /** As it stands in the form, saved or not. */
  readonly trial: ScenarioTrial;
}

/** The scenario as it is being written, played once against the demo agent: nothing is stored. */
export function TryScenario({ trial }: Props) {
  const trying = useMutation({
    mutationFn: async (asked: ScenarioTrial) => ({ asked, tried: await tryScenario(asked) }),
  });
  const isComplete =
    trial.content.script.trim() !== '' &&
    trial.content.chief_complaint.trim() !== '' &&
    trial.rubric_criteria.some(({ criterion }) => criterion.trim() !== '');
  const { data } = trying;
  return (
    <section className="panel stack" aria-labelledby="try-title">
      <h2 id="try-title">Try it</h2>
      <p className="help">
        Rules play this patient, a rule-based clinic assistant answers, and rules mark it. It shows how script and
        rubric work; the marks have no clinical meaning. Nothing is stored.
      </p>
      <div className="actions">
        <button
          type="button"
          className="button"
          disabled={trying.isPending || !isComplete}
          onClick={() => trying.mutate(trial)}
        >
          {trying.isPending ? 'Trying…' : 'Try it against the demo agent'}
        </button>
        {!isComplete && <span className="quiet">It needs a chief complaint, a script and a criterion.</span>}
      </div>
      {trying.isError && <Problem error={trying.error} />}
      {data !== undefined && !trying.isPending && (
        <Tried tried={data.tried} isOld={JSON.stringify(data.asked) !== JSON.stringify(trial)} />
      )}
    </section>
  );
}

/** What a mark says of an act that costs points. */
const FORBIDDEN_ACTS = {
  MET: 'did it',
  'PARTIALLY MET': 'did it in part',
  'NOT MET': 'did not do it',
} as const satisfies Record<Decision, string>;

function Tried({ tried, isOld }: { readonly tried: TriedScenario; readonly isOld: boolean }) {
  const violated = tried.criteria_results.filter(({ decision, max_points: points, tags }) =>
    violatesMustPass(decision, points, tags),
  ).length;
  return (
    <div className="stack">
      <p role="status">
        <Status of={tried.passed ? 'passed' : 'failed'} /> with <strong>{percentText(tried.score_percent)}</strong>,{' '}
        {pointsText(tried.total_points)} of {pointsText(tried.max_points)} points
        {violated > 0 && (
          <>
            , and <strong>{counted(violated, 'must-pass criterion', 'must-pass criteria')} violated</strong>
          </>
        )}
        .{isOld && <span className="quiet"> The scenario was changed since.</span>}
      </p>
      <ol className="tried-marks" aria-label="Marks">
        {tried.criteria_results.map((mark, index) => (
          <li key={index} className={`criterion ${outcomeOf(mark)}`}>
            <span className="sign" aria-hidden="true">
              {OUTCOME_SIGNS[outcomeOf(mark)]}
            </span>
            <div className="criterion-body">
              <p className="criterion-head">
                <Name>{mark.criterion}</Name>
                <span className="points number">
                  {pointsText(mark.points)} / {pointsText(mark.max_points)}
                </span>
              </p>
              <p className="decision">
                <span>{mark.max_points < 0 ? FORBIDDEN_ACTS[mark.decision] : mark.decision}</span>
                {mark.tags.includes(MUST_PASS_TAG) && (
                  <span className="tag must-pass">{mark.max_points < 0 ? 'must not' : 'must pass'}</span>
                )}
              </p>
            </div>
          </li>
        ))}
      </ol>
      <details>
        <summary>What was said</summary>
        <Said transcript={tried.transcript} />
      </details>
    </div>
  );
}
