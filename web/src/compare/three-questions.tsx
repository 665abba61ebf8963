import type { Comparison, QuestionTest } from '../api/statistics';
import { counted, percentText } from '../parts/numbers';
import { DifferenceHead, DifferenceRow, pText } from './difference-row';
import { reachOf } from './forest';

const TITLES: Readonly<Record<QuestionTest['on'], string>> = {
  passed: 'Pass rate',
  score: 'Mean score',
  must_pass: 'Must-pass violations',
};
const PER_CONVERSATION = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** The three questions of the verdict: whether scenarios passed less often, scored lower, or violated more must-pass criteria. */
export function ThreeQuestions({ comparison }: { readonly comparison: Comparison }) {
  const { tests, grounds, verdict, confidence } = comparison;
  const asked = tests.flatMap(knownOf);
  if (asked.length === 0) return null;
  const inPoints = asked.filter(({ on }) => on !== 'must_pass');
  const reach = reachOf(inPoints);
  return (
    <section className="panel stack" aria-labelledby="questions-title">
      <h2 id="questions-title">How big is the difference?</h2>
      <table className="forest questions">
        <DifferenceHead of="All compared scenarios" ends={['◀ worse', 'better ▶']} confidence={confidence} />
        <tbody>
          {asked.map((test) => {
            const { on, before, after, value, low, high, adjusted, scenarios } = test;
            const isHarm = on === 'must_pass';
            const isShown = grounds.includes(on) && verdict !== 'cannot_tell';
            const text = (of: number) => (isHarm ? PER_CONVERSATION.format(of) : percentText(of));
            const isWorse = isHarm ? value > 0 : value < 0;
            return (
              <DifferenceRow
                key={on}
                title={
                  <>
                    {TITLES[on]}{' '}
                    <span className="quiet small count">
                      {isHarm && 'per conversation, '}
                      {counted(scenarios, 'scenario')}
                    </span>
                  </>
                }
                before={text(before)}
                after={text(after)}
                value={value}
                low={low}
                high={high}
                reach={isHarm ? Math.max(0.5, ...[low, high].map(Math.abs)) : reach}
                confidence={confidence}
                direction={isShown ? (isWorse ? 'worse' : 'better') : 'no_evidence'}
                isWhole={isShown}
                isHarm={isHarm}
                unit={isHarm ? 'violations per conversation' : 'points'}
                digits={isHarm ? 2 : 0}
              >
                <span className="quiet small p">
                  {adjusted === null ? 'not tested' : `adjusted p ${pText(adjusted)}`}
                  {isShown && ', shown'}
                </span>
              </DifferenceRow>
            );
          })}
        </tbody>
      </table>
      <p className="quiet small">
        The verdict rests on all three questions: their p-values are adjusted together (Holm’s method), and a change is
        shown where one is below {Number((1 - confidence / 100).toFixed(4))}. Violations have a scale of their own.
      </p>
    </section>
  );
}

/** The difference in the direction of the words: for violations, the increase. Nothing where the question has no answer. */
function knownOf({ on, before, after, difference, low, high, adjusted_p_value: adjusted, scenarios }: QuestionTest) {
  if (before === null || after === null || difference === null || low === null || high === null) return [];
  const rest = { on, before, after, adjusted, scenarios };
  return on === 'must_pass'
    ? [{ ...rest, value: -difference, low: -high, high: -low }]
    : [{ ...rest, value: difference, low, high }];
}
