import { checkWords, MUST_PASS_TAG, spaced } from '../../../src/domain';
import type { Scenario } from '../api/scenarios';
import { pointsText } from '../parts/numbers';
import { Tags } from '../parts/tags';
import { Name, UntrustedText } from '../parts/untrusted-text';
import { Findings } from './findings';
import { SpeechText } from './speech-text';
import { TryScenario } from './try-scenario';
import { useLint } from './use-lint';
import { ForTheApprover } from './for-the-approver';

/** A scenario to be read: what the form shows, for keys that may not change it. */
export function ScenarioText({ scenario }: { readonly scenario: Scenario }) {
  const { category, severity, tags, content, rubric_criteria } = scenario;
  const { age, gender } = content.demographics;
  const lint = useLint({ name: scenario.name, content, rubric_criteria });
  const patient = [age === undefined ? null : `${age} years`, gender].filter((part) => typeof part === 'string');
  return (
    <div className="case-text">
      <section className="panel stack" aria-labelledby="patient-title">
        <h2 id="patient-title">Patient</h2>
        <p className="quiet">
          <Name>{[...patient, spaced(category), severity].filter((part) => part !== undefined).join(' · ')}</Name>
        </p>
        <h3>Chief complaint</h3>
        <UntrustedText text={content.chief_complaint} />
        <h3>Script</h3>
        <UntrustedText text={content.script} />
        <Tags tags={tags} shownAtMost={20} />
      </section>
      <section className="panel stack" aria-labelledby="rubric-title">
        <h2 id="rubric-title">Rubric</h2>
        <table className="plain-rubric">
          <thead>
            <tr>
              <th scope="col">Criterion</th>
              <th scope="col" className="number">
                Points
              </th>
            </tr>
          </thead>
          <tbody>
            {rubric_criteria.map(({ criterion, points, tags: of, by_turn: turn, check }, index) => (
              <tr key={index}>
                <td>
                  <Name>{criterion}</Name>{' '}
                  {of.includes(MUST_PASS_TAG) && <span className="tag must-pass">must pass</span>}
                  <Tags tags={of.filter((tag) => tag !== MUST_PASS_TAG)} shownAtMost={6} />
                  {turn !== undefined && <span className="quiet"> by turn {turn}</span>}
                  {check !== undefined && (
                    <p className="quiet small">
                      Checked by a rule: <Name>{checkWords(check)}</Name>
                    </p>
                  )}
                </td>
                <td className="number">{pointsText(points)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <SpeechText content={content} />
      <ForTheApprover content={content} tags={tags} rubric={rubric_criteria} />
      <TryScenario trial={{ name: scenario.name, content, rubric_criteria }} />
      {lint.findings.length > 0 && (
        <section className="panel stack" aria-labelledby="checks-title">
          <h2 id="checks-title">Checks</h2>
          <Findings findings={lint.findings} />
        </section>
      )}
    </div>
  );
}
