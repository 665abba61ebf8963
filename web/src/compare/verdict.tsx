import { Link } from 'wouter';
import type { TestRun } from '../api/runs';
import type { Comparison, MustPassViolation } from '../api/statistics';
import { counted } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';
import { LeftOut } from './left-out';
import { groupViolations } from './violations';

const SHOWN_AT_MOST = 10;

const SIGNS: Readonly<Record<Comparison['verdict'], string>> = {
  worse: '▼',
  mixed: '↕',
  better: '▲',
  no_evidence: '≈',
  cannot_tell: '?',
};

interface Props {
  readonly base: TestRun;
  readonly head: TestRun;
  readonly comparison: Comparison;
}

/** The verdict of a comparison in the service's words, and the doubts about it. New must-pass violations come first. */
export function Verdict({ base, head, comparison }: Props) {
  const { verdict, sentence, new_must_pass_violations: violations } = comparison;
  // The scenarios that only one run has are listed, folded, beside the number of compared ones.
  const doubts = comparison.doubts.filter(({ kind }) => kind !== 'scenarios');
  const [title, rest] = headingOf(sentence);
  return (
    <div className={`panel stack conclusion ${verdict}`}>
      <h2>
        <span aria-hidden="true">{SIGNS[verdict]}</span> <Name>{title}</Name>
      </h2>
      {violations.length > 0 && <NewViolations violations={violations} />}
      <p className="says">
        <Name>{rest}</Name>
      </p>
      <LeftOut base={base} head={head} comparison={comparison} />
      {doubts.length > 0 && (
        <div className="doubts">
          <h3>What else differs</h3>
          <ul>
            {doubts.map(({ kind, sentence: why }) => (
              <li key={`${kind} ${why}`}>
                <Name>{why}</Name>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function NewViolations({ violations }: { readonly violations: readonly MustPassViolation[] }) {
  const groups = groupViolations(violations);
  const isPrinting = usePrinting();
  const shown = groups.slice(0, isPrinting ? undefined : SHOWN_AT_MOST);
  return (
    <div className="new-violations">
      <h3>
        Newly violated, regardless of the rate: {counted(groups.length, 'must-pass criterion', 'must-pass criteria')}
      </h3>
      <ul>
        {shown.map(({ scenario_id, scenario_name, criterion, runs }) => (
          <li key={`${scenario_id} ${criterion}`}>
            <Name>{criterion}</Name>{' '}
            <span className="small quiet">
              <Name>{scenario_name}</Name>
              {runs.map(({ scenario_run_id, trial }) => (
                <span key={scenario_run_id}>
                  {', '}
                  <Link href={`/scenario-runs/${scenario_run_id}`}>trial {trial}</Link>
                </span>
              ))}
            </span>
          </li>
        ))}
        {groups.length > shown.length && <li className="quiet">and {groups.length - shown.length} more</li>}
      </ul>
    </div>
  );
}

/** The verdict, which is the sentence up to its colon, and the rest of it. */
function headingOf(sentence: string): [title: string, rest: string] {
  const colon = sentence.indexOf(': ');
  if (colon < 0) return [sentence, ''];
  const rest = sentence.slice(colon + 2);
  return [sentence.slice(0, colon), `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`];
}
