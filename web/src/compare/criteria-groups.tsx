import type { ReactNode } from 'react';
import { spaced } from '../../../src/domain';
import type { Comparison, CriteriaGroup } from '../api/statistics';
import { counted, percentText } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { DifferenceHead, DifferenceRow, pText } from './difference-row';
import { reachOf } from './forest';

/** The kinds of criteria that were met better or less well: they are few enough to be tested, unlike hundreds of single criteria. */
export function CriteriaGroups({ comparison }: { readonly comparison: Comparison }) {
  if (comparison.groups.length === 0) return null;
  const kinds = [...comparison.groups]
    .sort((one, other) => one.difference - other.difference)
    .map((kind) => ({ ...kind, name: kind.group === null ? 'without a tag' : <Name>{spaced(kind.group)}</Name> }));
  return <KindsOfCriteria kinds={kinds} comparison={comparison} />;
}

interface KindsProps {
  readonly kinds: readonly (CriteriaGroup & { readonly name: ReactNode; readonly by?: string })[];
  readonly comparison: Pick<Comparison, 'confidence' | 'verdict'>;
  readonly caption?: string;
}

/** How well each kind was met before and after, with its interval and its p-value. */
export function KindsOfCriteria({ kinds, comparison: { confidence, verdict }, caption }: KindsProps) {
  const reach = reachOf(kinds);
  const level = 1 - confidence / 100;
  return (
    <table className="forest kinds">
      {caption !== undefined && <caption className="quiet small">{caption}</caption>}
      <DifferenceHead of="Kind of criteria" ends={[`−${reach}`, `+${reach}`]} confidence={confidence} />
      <tbody>
        {kinds.map(
          ({
            by = '',
            group,
            name,
            criteria,
            scenarios,
            before,
            after,
            difference,
            low,
            high,
            adjusted_p_value: p,
          }) => {
            const isShown = p !== null && p < level && verdict !== 'cannot_tell';
            return (
              <DifferenceRow
                key={`${by} ${group ?? ''}`}
                title={
                  <>
                    {name}{' '}
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
          },
        )}
      </tbody>
    </table>
  );
}
