import { Name } from './untrusted-text';

/** The severity of a failure in a scenario. */
export function SeverityTag({ severity }: { readonly severity: string }) {
  const isGrave = severity === 'critical' || severity === 'high';
  return (
    <span className={isGrave ? `severity ${severity}` : 'severity'}>
      <Name>{severity}</Name>
    </span>
  );
}
