import type { Decision } from '../../../src/domain';
import type { Quote, SheetCriterion } from '../api/reviews';
import { Name } from '../parts/untrusted-text';
import type { DraftedCriterion } from './review-draft';

interface Props {
  readonly criterion: SheetCriterion;
  readonly decisions: readonly Decision[];
  readonly draft: DraftedCriterion;
  readonly isActive: boolean;
  /** The decisions of other reviewers, shown to an adjudicator. */
  readonly given: readonly { readonly reviewer: string; readonly decision: Decision }[];
  readonly onDecide: (decision: Decision) => void;
  readonly onRationale: (rationale: string) => void;
  readonly onDrop: (quote: Quote) => void;
  readonly onFocus: () => void;
}

/** One criterion to decide: keys 1 to 3, or the letters of the decisions. */
export function DecidedCriterion(props: Props) {
  const { criterion, decisions, draft, isActive, given, onDecide, onRationale, onDrop, onFocus } = props;
  const number = criterion.index + 1;
  return (
    <li className={isActive ? 'decided active' : 'decided'} data-index={criterion.index} onFocus={onFocus}>
      <fieldset>
        <legend>
          <span className="number">{number}.</span> <Name>{criterion.criterion}</Name>
          {criterion.points < 0 && <span className="tag fault">must not happen</span>}
          {criterion.check !== null && <span className="tag">decided by a rule; you need not</span>}
        </legend>
        <div className="decisions">
          {decisions.map((decision, place) => (
            <label key={decision} className="choice">
              <input
                type="radio"
                name={`criterion-${criterion.index}`}
                value={decision}
                checked={draft.decision === decision}
                onChange={() => onDecide(decision)}
              />{' '}
              {decision} <kbd aria-hidden="true">{place + 1}</kbd>
            </label>
          ))}
        </div>
        {given.length > 0 && (
          <ul className="given">
            {given.map(({ reviewer, decision }) => (
              <li key={reviewer}>
                <Name>{reviewer}</Name>: {decision}
              </li>
            ))}
          </ul>
        )}
        {draft.evidence.length > 0 && (
          <ul className="picked">
            {draft.evidence.map((quote) => (
              <li key={`${quote.turn} ${quote.quote}`}>
                <span className="quiet">turn {quote.turn}</span> “<Name>{quote.quote}</Name>”{' '}
                <button type="button" className="button small" tabIndex={-1} onClick={() => onDrop(quote)}>
                  Drop <span className="only-read">this evidence</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {isActive && (
          <label className="why">
            <span className="label">Why (optional)</span>
            <input
              type="text"
              maxLength={2_000}
              value={draft.rationale}
              onChange={({ target }) => onRationale(target.value)}
            />
          </label>
        )}
      </fieldset>
    </li>
  );
}
