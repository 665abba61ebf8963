import { Name } from './untrusted-text';

/** How grave it is to get a scenario wrong. */
export function SeverityTag({ severity }: { readonly severity: string }) {
  const isGrave = severity === 'critical' || severity === 'high';
  return (
    <span className={isGrave ? `severity ${severity}` : 'severity'}>
      <Name>{severity}</Name>
    </span>
  );
}
