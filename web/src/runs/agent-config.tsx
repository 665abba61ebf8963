import type { TestRunDetail } from '../api/runs';
import { UntrustedText } from '../parts/untrusted-text';

/** The agent’s config when the run was started, as the service kept it: without secrets. Imported conversations have none. */
export function AgentConfig({ run: { agent_config: config } }: { readonly run: TestRunDetail }) {
  if (config === null) return null;
  return (
    <details className="circumstances">
      <summary>Agent config at the start of the run (secrets masked)</summary>
      <pre tabIndex={0} role="region" aria-label="Agent config">
        <UntrustedText text={JSON.stringify(config, null, 2)} />
      </pre>
    </details>
  );
}
