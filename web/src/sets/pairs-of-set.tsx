import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { compareRunSet, type PairOfRuns } from '../api/run-sets';
import { Loaded } from '../parts/loaded';
import { Name } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';

const SIGNS: Readonly<Record<PairOfRuns['verdict'], string>> = {
  worse: '≠',
  mixed: '↕',
  better: '≠',
  no_evidence: '≈',
  cannot_tell: '?',
};

/** How each run of a set compares with each other, in a sentence with its numbers. @param runs when one is deleted, the pairs are others */
export function PairsOfSet({ setId, runs }: { readonly setId: string; readonly runs: number }) {
  const compared = useQuery({
    queryKey: ['run-set', setId, 'comparisons', runs],
    queryFn: ({ signal }) => compareRunSet(setId, signal),
    staleTime: 30_000,
  });
  return (
    <section className="panel stack" aria-labelledby="pairs-title">
      <Loaded query={compared}>
        {({ sentence, pairs, confidence }) => (
          <>
            <h2 id="pairs-title">{sentence}</h2>
            <ul className="stack">
              {pairs.map((pair) => (
                <li key={`${pair.before.id} ${pair.after.id}`}>
                  <Pair of={pair} />
                </li>
              ))}
            </ul>
            {pairs.length > 0 && (
              <p className="quiet small">
                Each pair is asked whether its runs differ in how often they pass, in their scores and in must-pass
                violations. The p-values of all pairs are adjusted together (Holm’s method), so that equal agents are
                told a difference in at most {Number((100 - confidence).toFixed(2))} of 100 sets; the intervals are
                those of each pair by itself.
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Pair({ of: { before, after, verdict, sentence, doubts } }: { readonly of: PairOfRuns }) {
  return (
    <>
      <p>
        <span aria-hidden="true">{SIGNS[verdict]} </span>
        <Name>{sentence}</Name>{' '}
        <Link
          href={`/compare?base=${before.id}&head=${after.id}`}
          className="small"
          aria-label={`Details: ${visibleText(before.title)} and ${visibleText(after.title)}`}
        >
          Details
        </Link>
      </p>
      {doubts.length > 0 && (
        <ul className="quiet small">
          {doubts.map(({ kind, sentence: why }) => (
            <li key={`${kind} ${why}`}>
              <Name>{why}</Name>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
