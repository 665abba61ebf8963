import { outcomeOf, MUST_PASS_TAG } from '../../../src/domain';
import type { CriterionResult, ScenarioRunDetail } from '../api/scenario-runs';
import type { Criterion as Unmarked } from '../api/scenarios';
import { PlayButton } from '../listening/heard-call';
import { pointsText } from '../parts/numbers';
import { OUTCOME_SIGNS } from '../parts/status';
import { Name } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';
import { useRubric } from './use-rubric';

interface Props {
  readonly run: ScenarioRunDetail;
  readonly active: number | null;
  /** The criterion with evidence that stays highlighted. */
  readonly pressed: number | null;
  /** Called with the criterion under the pointer; null when there is none. */
  readonly onPoint: (criterion: number | null) => void;
  readonly onPress: (criterion: number | null) => void;
  readonly hasRange: ReadonlySet<number>;
}

/** The marked rubric. Pointing at a criterion highlights its evidence in the conversation; clicking it scrolls there. */
export function Checklist({ run, active, pressed, onPoint, onPress, hasRange }: Props) {
  const results = run.criteria_results;
  const rubric = useRubric(run);
  return (
    <section
      id="checklist"
      className="checklist"
      aria-labelledby="checklist-title"
      tabIndex={results === null ? 0 : undefined}
    >
      <h2 id="checklist-title">Checklist</h2>
      {results === null && <p className="quiet">{unmarkedSentence(run)}</p>}
      {results === null && rubric !== null && (
        <ol aria-label="What it is marked on">
          {rubric.map((criterion, index) => (
            <UnmarkedCriterion key={index} of={criterion} />
          ))}
        </ol>
      )}
      {results !== null && results.some(({ evidence }) => evidence.length > 0) && (
        <p className="hint">Point at a criterion to see its evidence; click to jump to it and keep it highlighted.</p>
      )}
      {results !== null && (
        <ol onMouseLeave={() => onPoint(null)}>
          {results.map((result, index) => (
            <Criterion
              key={index}
              result={result}
              index={index}
              isActive={active === index}
              isPressed={pressed === index}
              canShow={hasRange.has(index)}
              onPoint={onPoint}
              onPress={onPress}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

/** A criterion that is not marked yet. */
function UnmarkedCriterion({ of: { criterion, points, tags } }: { readonly of: Unmarked }) {
  return (
    <li className="criterion unmarked">
      <span className="sign" aria-hidden="true" />
      <div className="criterion-body">
        <p className="criterion-head">
          <span className="criterion-text">
            <Name>{criterion}</Name>
          </span>
          <span className="points number" title="Points available">
            {pointsText(points)}
          </span>
        </p>
        <p className="decision">
          <span>{points < 0 ? 'not marked; must not happen' : 'not marked'}</span>
          <Tags of={tags} />
        </p>
      </div>
    </li>
  );
}

function Tags({ of }: { readonly of: readonly string[] }) {
  return of.map((tag) => (
    <span key={tag} className={tag === MUST_PASS_TAG ? 'tag must-pass' : 'tag'}>
      <Name>{tag === MUST_PASS_TAG ? 'must pass' : tag}</Name>
    </span>
  ));
}

interface CriterionProps {
  readonly result: CriterionResult;
  readonly index: number;
  readonly isActive: boolean;
  readonly isPressed: boolean;
  readonly canShow: boolean;
  readonly onPoint: (criterion: number | null) => void;
  readonly onPress: (criterion: number | null) => void;
}

function Criterion({ result, index, isActive, isPressed, canShow, onPoint, onPress }: CriterionProps) {
  const point = () => onPoint(index);
  const press = () => {
    onPress(isPressed ? null : index);
    if (!isPressed) goToEvidence(index);
  };
  const outcome = outcomeOf(result);
  const text = (
    <span className="criterion-text">
      <Name>{result.criterion}</Name>
    </span>
  );
  return (
    <li
      className={`criterion ${outcome}${isActive ? ' active' : ''}`}
      onMouseEnter={point}
      onFocus={point}
      onBlur={() => onPoint(null)}
    >
      <span className="sign" aria-hidden="true">
        {OUTCOME_SIGNS[outcome]}
      </span>
      <div className="criterion-body">
        <p className="criterion-head">
          {canShow ? (
            <button type="button" className="link" aria-pressed={isPressed} onClick={press}>
              {text}
            </button>
          ) : (
            text
          )}
          <span className="points number" title="Points earned, of the points available">
            {pointsText(result.points)} / {pointsText(result.max_points)}
          </span>
        </p>
        <p className="decision">
          <span>
            {result.decision}
            {result.max_points < 0 && ' (must not happen)'}
          </span>
          {result.check !== null && <span className="tag">checked by a rule: {visibleText(result.check)}</span>}
          <Tags of={result.tags} />
        </p>
        <p className="rationale">
          <Name>{result.rationale}</Name>
        </p>
        {result.evidence.map(({ turn, quote, call, from_ms, to_ms }, position) => (
          <blockquote key={position}>
            <span className="quiet number">
              turn {turn}
              {call !== undefined && ', called'}
            </span>{' '}
            <Name>{shortened(quote)}</Name>{' '}
            <PlayButton span={{ from_ms, to_ms }} what={`the evidence in turn ${turn}`} />
          </blockquote>
        ))}
        <Grounds result={result} />
      </div>
    </li>
  );
}

/** What a mark rests on besides quotes: what no reply says, and whether its examinations agreed. */
function Grounds({
  result: { absence, replies_read: replies, votes, disputed },
}: {
  readonly result: CriterionResult;
}) {
  return (
    <>
      {absence && (
        <p className="quiet">
          {replies === null || replies === 1
            ? 'Evidence: not in any reply.'
            : `Evidence: not in any of the ${replies} replies.`}
        </p>
      )}
      {votes !== null && votes.length > 1 && (
        <p className="quiet">
          {disputed ? 'Disputed votes' : 'Independent votes'}: {votes.join(', ')}.
        </p>
      )}
    </>
  );
}

/** The marks are drawn after the criterion became the active one; a message that was cut grows to show them. */
function goToEvidence(index: number): void {
  requestAnimationFrame(() => {
    const mark = document.querySelector(`:is(mark, .tool-call)[data-of~="${index}"]`);
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    mark?.scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' });
  });
}

function shortened(quote: string): string {
  return quote.length > 240 ? `${quote.slice(0, 240)}…` : quote;
}

function unmarkedSentence({ status }: ScenarioRunDetail): string {
  if (status === 'canceled') return 'It was canceled before it was marked.';
  if (status === 'error') return 'It ended in an error before it was marked.';
  return 'It will be marked when the conversation is over.';
}
