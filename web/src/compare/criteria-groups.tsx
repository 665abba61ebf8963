import { spaced } from '../../../src/domain';
import type { Comparison } from '../api/statistics';
import { counted, percentText } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { DifferenceHead, DifferenceRow, pText } from './difference-row';
import { reachOf } from './forest';

/** The kinds of criteria that were met better or less well: they are few enough to be tested, unlike hundreds of single criteria. */
export function CriteriaGroups({ comparison: { groups, confidence, verdict } }: { readonly comparison: Comparison }) {
  if (groups.length === 0) return null;
  const reach = reachOf(groups);
  const level = 1 - confidence / 100;
  return (
    <table className="forest kinds">
      <DifferenceHead of="Kind of criteria" ends={[`−${reach}`, `+${reach}`]} confidence={confidence} />
      <tbody>
        {[...groups]
          .sort((one, other) => one.difference - other.difference)
          .map(({ group, criteria, scenarios, before, after, difference, low, high, adjusted_p_value: p }) => {
            const isShown = p !== null && p < level && verdict !== 'cannot_tell';
            return (
              <DifferenceRow
                key={group ?? ''}
                title={
                  <>
                    {group === null ? 'without a tag' : <Name>{spaced(group)}</Name>}{' '}
                    <span className="quiet small count">
                      {counted(criteria, 'criterion', 'criteria')}, {counted(scenarios, 'scenario')}
                    </span>
                  </>
                }
                before={percentText(before * 100)}
                after={percentText(after * 100)}
                value={difference}
                low={low}
                high={high}
                reach={reach}
                confidence={confidence}
                direction={isShown ? (difference < 0 ? 'worse' : 'better') : 'no_evidence'}
              >
                <span className="quiet small p">
                  {p === null ? 'too few scenarios to test' : `adjusted p ${pText(p)}`}
                  {isShown && ', shown'}
                </span>
              </DifferenceRow>
            );
          })}
      </tbody>
    </table>
  );
}
