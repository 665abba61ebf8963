import type { Finding } from '../api/scenarios';
import { Name } from '../parts/untrusted-text';

interface Props {
  readonly findings: readonly Finding[];
  /** The id of the list, for the control that it describes. */
  readonly id?: string;
}

/** The lint's findings on one field, or on the whole scenario. */
export function Findings({ findings, id }: Props) {
  if (findings.length === 0) return null;
  return (
    <ul className="findings" id={id}>
      {findings.map(({ rule, severity, sentence }, index) => (
        <li key={index} className={severity === 'error' ? 'finding error' : 'finding'}>
          <strong>{severity === 'error' ? 'Error' : 'Warning'}:</strong> <Name>{sentence}</Name>{' '}
          <code className="quiet">{rule}</code>
        </li>
      ))}
    </ul>
  );
}

/** The findings at one path. */
export function findingsAt(findings: readonly Finding[], path: string): readonly Finding[] {
  return findings.filter((finding) => finding.path === path);
}
