import { MUST_PASS_TAG, spaced } from '../../../src/domain';
import type { ScenarioProposal } from '../api/scenarios';
import { Name, UntrustedText } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';
import { counted } from '../parts/numbers';
import { Findings } from './findings';

interface Props {
  readonly proposal: ScenarioProposal;
  readonly chosen: boolean;
  /** What one should know before it is saved. */
  readonly note?: string | undefined;
  readonly onChange: (changes: { readonly proposal?: ScenarioProposal; readonly chosen?: boolean }) => void;
}

/** A generated scenario, or one of a file, before it is saved. */
export function ProposalCard({ proposal, chosen, note, onChange }: Props) {
  const { name, category, content, rubric_criteria, findings } = proposal;
  const { age, gender } = content.demographics;
  const patient = [age !== undefined && `${age} years`, gender].filter(Boolean).join(', ');
  return (
    <article className="panel proposal">
      <div className="proposal-head">
        <label className="check">
          <input
            type="checkbox"
            checked={chosen}
            aria-label={`Save ${visibleText(name)}`}
            onChange={(event) => onChange({ chosen: event.target.checked })}
          />
        </label>
        <input
          aria-label="Name"
          value={name}
          maxLength={500}
          onChange={(event) => onChange({ proposal: { ...proposal, name: event.target.value } })}
        />
        <span className="tag">
          <Name>{spaced(category)}</Name>
        </span>
      </div>
      {note !== undefined && <p className="notice">{note}</p>}
      <p className="complaint">
        <UntrustedText text={content.chief_complaint} />
      </p>
      {patient !== '' && (
        <p className="quiet">
          <Name>{patient}</Name>
        </p>
      )}
      <details>
        <summary>Script</summary>
        <UntrustedText text={content.script} />
      </details>
      <table className="plain-rubric">
        <caption className="unseen">Rubric</caption>
        <tbody>
          {rubric_criteria.map(({ criterion, points, tags }, index) => (
            <tr key={index}>
              <td>
                <Name>{criterion}</Name>{' '}
                {tags.includes(MUST_PASS_TAG) && <span className="tag must-pass">must pass</span>}
              </td>
              <td className="number">{points}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {findings.length > 0 && (
        <details>
          <summary>{counted(findings.length, 'finding')} to fix before it is approved</summary>
          <Findings findings={findings} />
        </details>
      )}
    </article>
  );
}
