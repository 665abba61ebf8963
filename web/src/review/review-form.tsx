import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Decision } from '../../../src/domain';
import { createReview, listReviews, type Quote, type Review, type ReviewSheet } from '../api/reviews';
import { Field } from '../parts/field';
import { counted } from '../parts/numbers';
import { useMay, useMe, WhyNot } from '../parts/permissions';
import { Problem } from '../parts/problem';
import { useMaking } from '../parts/use-making';
import { DecidedCriterion } from './decided-criterion';
import { emptyDraft, hasQuote, isOpen, reviewOf, undecided, withCriterion, withQuote } from './review-draft';
import { ReviewedConversation } from './reviewed-conversation';
import { isSameReviewer, reviewerName } from './reviewer-name';
import { WhoReviews } from './who-reviews';
import { WhereThePatientIs } from './where-the-patient-is';

interface Props {
  readonly sheet: ReviewSheet;
  /** The words of what can be heard are hidden. */
  readonly isByEar: boolean;
  readonly onByEar: (isByEar: boolean) => void;
  readonly onReviewed: (review: Review) => void;
}

/** Wide enough for the checklist to stand beside the conversation, as in scenario-run.css. */
const BESIDE = '(min-width: 62.01rem)';

const RATINGS = [1, 2, 3, 4, 5] as const;
const LETTERS: Readonly<Record<string, Decision>> = { m: 'MET', p: 'PARTIALLY MET', n: 'NOT MET' };

/** Everything that a reviewer decides about a conversation, with the keyboard alone if they like. */
export function ReviewForm({ sheet, isByEar, onByEar, onReviewed }: Props) {
  const [draft, setDraft] = useState(() => emptyDraft(sheet.criteria));
  const [active, setActive] = useState(0);
  const mayReview = useMay('review');
  const isPerson = useMe()?.signed_in === true;
  const [typed, setTyped] = useState(() => sheet.you.reviewer ?? reviewerName.get());
  // A person who has signed in reviews under the name that the service knows.
  const name = isPerson ? (sheet.you.key_name ?? '') : typed;
  const [isAdjudicating, setAdjudicating] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const hasReviewed =
    sheet.you.key_name === null
      ? sheet.reviewers.some((reviewer) => isSameReviewer(reviewer, name))
      : sheet.you.reviewer !== null;
  const mayAdjudicate = sheet.disagreements > 0 && !hasReviewed;
  const given = useQuery({
    queryKey: ['reviews', sheet.scenario_run_id],
    queryFn: ({ signal }) => listReviews(sheet.scenario_run_id, signal),
    enabled: isAdjudicating,
  });
  const saving = useMaking(
    (fields: Parameters<typeof createReview>[1], key) => createReview(sheet.scenario_run_id, fields, key),
    onReviewed,
  );
  const left = undecided(draft);

  const focusCriterion = (index: number) => {
    const last = sheet.criteria.length - 1;
    if (index > last) return focusIn(form.current, 'input[name="global-rating"]');
    const to = Math.max(0, index);
    setActive(to);
    focusIn(form.current, `.decided[data-index="${to}"] input[type="radio"]`);
  };
  const decide = (index: number, decision: Decision) => setDraft((now) => withCriterion(now, index, { decision }));
  const pick = (quotes: readonly Quote[]) =>
    setDraft((now) => quotes.reduce((changed, quote) => withQuote(changed, active, quote), now));

  useEffect(() => {
    // Below the conversation, focusing it would scroll the conversation away, which is to be read first.
    if (!window.matchMedia(BESIDE).matches) return;
    const first =
      sheet.you.reviewer === null && reviewerName.get() === ''
        ? 'input[name="reviewer"]'
        : '.decided input[type="radio"]';
    focusIn(form.current, first);
  }, [sheet.you.reviewer]);

  const pressed = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.metaKey || event.ctrlKey || isText(event.target)) return;
    const key = event.key.toLowerCase();
    const decision = sheet.decisions[Number(key) - 1] ?? LETTERS[key];
    if (decision !== undefined && sheet.decisions.includes(decision)) {
      decide(active, decision);
      focusCriterion(active + 1);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      focusCriterion(active + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (key === 'e') focusIn(document.body, '.transcript .sentence');
    else if (key === 'w') focusIn(form.current, '.decided.active .why input');
    else return;
    event.preventDefault();
  };
  const rated = (event: KeyboardEvent<HTMLElement>) => {
    const rating = RATINGS.find((one) => String(one) === event.key);
    if (rating !== undefined) {
      setDraft((now) => ({ ...now, globalRating: rating }));
      focusIn(form.current, 'button[type="submit"]');
    } else if (event.key === 'ArrowUp') focusCriterion(sheet.criteria.length - 1);
    else return;
    event.preventDefault();
  };
  const submit = () => {
    const review = reviewOf(draft, {
      reviewer: name.trim(),
      role: isAdjudicating && mayAdjudicate ? 'adjudicator' : 'reviewer',
    });
    if (name.trim() === '') return focusIn(form.current, 'input[name="reviewer"]');
    if (review === null) return focusCriterion(draft.criteria.findIndex(isOpen));
    if (!isPerson) reviewerName.remember(name.trim());
    saving.mutate(review);
  };

  const current = draft.criteria[active];
  return (
    <div className="marking reviewing">
      <ReviewedConversation
        transcript={sheet.transcript}
        criterion={active + 1}
        isPicked={(quote) => current !== undefined && hasQuote(current, quote)}
        isByEar={isByEar}
        onByEar={onByEar}
        onPick={pick}
        onLeave={() => focusCriterion(active)}
      />
      <form
        ref={form}
        id="checklist"
        className="checklist stack"
        aria-labelledby="decide-title"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2 id="decide-title">Decide each criterion</h2>
        <p className="hint">
          <kbd>1</kbd>–<kbd>{sheet.decisions.length}</kbd> decide and go on, <kbd>↑</kbd> <kbd>↓</kbd> move,{' '}
          <kbd>E</kbd> picks evidence in the conversation (arrows, <kbd>Space</kbd>, then <kbd>Esc</kbd>), <kbd>W</kbd>{' '}
          says why. Or select the agent’s words with the mouse.
        </p>
        <WhereThePatientIs region={sheet.region} />
        <WhoReviews you={sheet.you} />
        {!isPerson && (
          <Field label="Your name">
            {(control) => (
              <input
                {...control}
                name="reviewer"
                type="text"
                required
                maxLength={200}
                autoComplete="name"
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
        )}
        {mayAdjudicate && (
          <label className="check">
            <input
              type="checkbox"
              checked={isAdjudicating}
              onChange={({ target }) => setAdjudicating(target.checked)}
            />{' '}
            Adjudicate: see what the reviewers decided, and settle where they differ
          </label>
        )}
        <ol className="to-decide" onKeyDown={pressed}>
          {sheet.criteria.map((criterion) => (
            <DecidedCriterion
              key={criterion.index}
              criterion={criterion}
              decisions={sheet.decisions}
              draft={draft.criteria[criterion.index] ?? { decision: null, rationale: '', evidence: [], isRuled: false }}
              isActive={criterion.index === active}
              given={isAdjudicating ? givenOn(criterion.index, given.data ?? []) : []}
              onDecide={(decision) => decide(criterion.index, decision)}
              onRationale={(rationale) => setDraft((now) => withCriterion(now, criterion.index, { rationale }))}
              onDrop={(quote) => setDraft((now) => withQuote(now, criterion.index, quote))}
              onFocus={() => setActive(criterion.index)}
            />
          ))}
        </ol>
        <fieldset className="rating" onKeyDown={rated}>
          <legend>The consultation as a whole (optional)</legend>
          <div className="decisions">
            {RATINGS.map((rating) => (
              <label key={rating} className="choice">
                <input
                  type="radio"
                  name="global-rating"
                  value={rating}
                  checked={draft.globalRating === rating}
                  onChange={() => setDraft((now) => ({ ...now, globalRating: rating }))}
                />{' '}
                {rating}
                {rating === 1 && ' poor'}
                {rating === 5 && ' excellent'}
              </label>
            ))}
          </div>
        </fieldset>
        <Field label="Comment" optional>
          {(control) => (
            <textarea
              {...control}
              rows={2}
              maxLength={10_000}
              value={draft.comment}
              onChange={({ target }) => setDraft((now) => ({ ...now, comment: target.value }))}
            />
          )}
        </Field>
        {saving.error !== null && <Problem error={saving.error} />}
        <div className="actions">
          <button type="submit" className="button primary" disabled={saving.isPending || !mayReview}>
            Submit, and see the judge’s marks
          </button>
          <span className="quiet" role="status">
            {left === 0 ? 'All decided.' : `${counted(left, 'criterion', 'criteria')} left.`}
          </span>
        </div>
        <WhyNot to="review" />
      </form>
    </div>
  );
}

function givenOn(index: number, reviews: readonly Review[]) {
  const last = new Map(
    reviews.map((review) => [review.key_name ?? ` ${review.reviewer.trim().toLowerCase()}`, review]),
  );
  return [...last.values()].flatMap(({ reviewer, criteria }) =>
    criteria.flatMap(({ index: at, decision }) => (at === index ? [{ reviewer, decision }] : [])),
  );
}

function focusIn(element: Element | null, selector: string): void {
  element?.querySelector<HTMLElement>(selector)?.focus();
}

function isText(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.closest('input[type="text"], textarea') !== null;
}
