import { useState } from 'react';
import { Link } from 'wouter';
import type { TestRun } from '../api/runs';
import type { Comparison, MustPassViolation } from '../api/statistics';
import { counted } from '../parts/numbers';
import { SeverityTag } from '../parts/severity-tag';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';
import { violatedSentence } from './both-violate';
import { LeftOut } from './left-out';
import type { Severities } from './use-severities';
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
  readonly severities: Severities;
}

/** What a violation is, by its kind: the text of the criterion alone does not say whether it had to be done or must not be done. */
const WHAT_HAPPENED: Readonly<Record<MustPassViolation['kind'], string>> = {
  missed: 'Not done:',
  committed: 'Did:',
};

/** The verdict of a comparison in the service's words, and the doubts about it. New must-pass violations come first. */
export function Verdict({ base, head, comparison, severities }: Props) {
  const { verdict, sentence, new_must_pass_violations: violations } = comparison;
  // The scenarios that only one run has are listed, folded, beside the number of compared ones.
  const doubts = comparison.doubts.filter(({ kind }) => kind !== 'scenarios');
  const [title, rest] = headingOf(sentence);
  const violated = violatedSentence(base, head);
  return (
    <div className={`panel stack conclusion ${verdict}`}>
      <h2>
        <span aria-hidden="true">{SIGNS[verdict]}</span> <Name>{title}</Name>
      </h2>
      {violations.length > 0 && <NewViolations violations={violations} severities={severities} />}
      <p className="says">
        <Name>{rest}</Name>
      </p>
      {violated !== null && (
        <p className="both-violate">
          <span aria-hidden="true">! </span>
          {violated}
        </p>
      )}
      <LeftOut base={base} head={head} comparison={comparison} />
      {(doubts.length > 0 || areOnlyLabels(base, head)) && (
        <div className="doubts">
          <h3>What else differs</h3>
          <ul>
            {doubts.map(({ kind, sentence: why }) => (
              <li key={`${kind} ${why}`}>
                <Name>{why}</Name>
              </li>
            ))}
            {areOnlyLabels(base, head) && (
              <li>
                Both runs used the same config: unless something behind its address changed, the versions are only
                labels.
              </li>
            )}
          </ul>
        </div>
      )}
    </div>
  );
}

/** Whether two runs of one configuration were given different versions. */
function areOnlyLabels(base: TestRun, head: TestRun): boolean {
  const [was, is] = [base.agent_version, head.agent_version];
  if (was === null || is === null || was === is) return false;
  return base.agent_config_hash !== null && base.agent_config_hash === head.agent_config_hash;
}

interface ViolationsProps extends Pick<Props, 'severities'> {
  readonly violations: readonly MustPassViolation[];
}

function NewViolations({ violations, severities }: ViolationsProps) {
  const [isWhole, setWhole] = useState(false);
  const groups = groupViolations(violations, severities.of);
  const isPrinting = usePrinting();
  const shown = groups.slice(0, isWhole || isPrinting ? undefined : SHOWN_AT_MOST);
  return (
    <div className="new-violations">
      <h3>
        Newly violated, regardless of the rate: {counted(groups.length, 'must-pass criterion', 'must-pass criteria')}
      </h3>
      <ul>
        {shown.map(({ scenario_id, scenario_name, criterion, kind, severity, runs }) => (
          <li key={`${scenario_id} ${kind} ${criterion}`}>
            <strong>{WHAT_HAPPENED[kind]}</strong> <Name>{criterion}</Name>{' '}
            <span className="small quiet">
              <Name>{scenario_name}</Name> {severity !== null && <SeverityTag severity={severity} />}
              {runs.map(({ scenario_run_id, trial }) => (
                <span key={scenario_run_id}>
                  {', '}
                  <Link href={`/scenario-runs/${scenario_run_id}`}>trial {trial}</Link>
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {groups.length > SHOWN_AT_MOST && (
        <button type="button" className="button small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show only the first ${SHOWN_AT_MOST}` : `and ${groups.length - SHOWN_AT_MOST} more: show all`}
        </button>
      )}
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
