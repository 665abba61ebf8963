import { actsSummary, callText } from '../../../src/domain';
import type { AgentActs, ToolCall } from '../api/scenario-runs';
import { Name, UntrustedText } from '../parts/untrusted-text';

interface Props {
  readonly turn: number;
  readonly acts: AgentActs | null | undefined;
  /** Positions of the criteria that rest on a call, by its place in the turn. */
  readonly marks: ReadonlyMap<number, readonly number[]>;
  /** The criterion under the pointer. */
  readonly active: number | null;
}

/** What the agent did for a reply, beside what it said: a line, and under it the calls and the context. */
export function Acts({ turn, acts, marks, active }: Props) {
  if (!acts) return null;
  const summary = actsSummary(acts);
  if (summary === '') return null;
  const calls = acts.tool_calls ?? [];
  if (calls.length === 0 && acts.context.length === 0) return <p className="acts quiet small number">{summary}</p>;
  const isLit = active !== null && [...marks.values()].some((of) => of.includes(active));
  return (
    <details className="acts small" open={isLit || undefined}>
      <summary className="quiet number">{summary}</summary>
      {calls.length > 0 && (
        <ol className="tool-calls" aria-label={`Tool calls of turn ${turn}`}>
          {calls.map((call, at) => {
            const of = marks.get(at + 1) ?? [];
            const lit = active !== null && of.includes(active) ? ' lit' : '';
            return (
              <li key={at} className={`tool-call${of.length > 0 ? ' evidence' : ''}${lit}`} data-of={of.join(' ')}>
                <Call call={call} />
              </li>
            );
          })}
        </ol>
      )}
      {acts.context.length > 0 && (
        <>
          <p className="quiet">Retrieved:</p>
          <ul className="context">
            {acts.context.map((piece, at) => (
              <li key={at}>
                <UntrustedText text={piece} />
              </li>
            ))}
          </ul>
        </>
      )}
      {acts.truncated && <p className="quiet">There was more, which is not kept.</p>}
    </details>
  );
}

function Call({ call }: { readonly call: ToolCall }) {
  return (
    <>
      <code>
        <UntrustedText text={callText(call)} />
      </code>
      {call.result !== null && (
        <p>
          <span className="quiet">answered </span>
          <UntrustedText text={call.result} />
        </p>
      )}
      {call.truncated && <p className="quiet">It was longer, and the rest is not kept.</p>}
    </>
  );
}

/** Where the turn is traced, in another tool. */
export function TraceLink({ url, turn }: { readonly url: string | undefined; readonly turn: number }) {
  if (url === undefined || !/^https?:\/\//i.test(url)) return null;
  return (
    <a className="trace small" href={url} target="_blank" rel="noopener noreferrer">
      Trace<span className="only-read"> of turn {turn}, in another tab</span>
    </a>
  );
}

/** What was done in place of a reply, told in words: nothing is kept of an agent's acts but calls. */
export function ClosingActs({ acts }: { readonly acts: AgentActs | null }) {
  const calls = acts?.tool_calls ?? [];
  if (calls.length === 0) return null;
  return (
    <p className="small">
      In place of a reply it called <Name>{calls.map(callText).join(', ')}</Name>.
    </p>
  );
}
