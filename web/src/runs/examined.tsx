import type { TestRun } from '../api/runs';
import { ShortHash } from '../parts/short-hash';
import { Name } from '../parts/untrusted-text';

/** What was examined, and with which instruments, as rows among the facts of a run. Facts that imported conversations lack are left out. */
export function Examined({ run }: { readonly run: TestRun }) {
  const { agent_version: version = null, agent_config_hash: config = null } = run;
  const { tester, judge } = run.examiners ?? { tester: null, judge: null };
  return (
    <>
      {version !== null && (
        <div>
          <dt>Agent version</dt>
          <dd>
            <Name>{version}</Name>
          </dd>
        </div>
      )}
      {config !== null && <Hash name="Agent config" of={config} />}
      {typeof tester?.prompt_version === 'string' && <Hash name="Patient prompt" of={tester.prompt_version} />}
      {typeof judge?.prompt_version === 'string' && (
        <Hash name={judge.name === 'offline' ? 'Judge rules' : 'Judge prompt'} of={judge.prompt_version} />
      )}
    </>
  );
}

function Hash({ name, of }: { readonly name: string; readonly of: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <ShortHash of={of} />
      </dd>
    </div>
  );
}
