import { useQuery } from '@tanstack/react-query';
import { listRevisions, type Scenario, type ScenarioRevision } from '../api/scenarios';
import { Problem } from '../parts/problem';
import { ShortHash } from '../parts/short-hash';
import { Time } from '../parts/time';
import { UntrustedText } from '../parts/untrusted-text';
import { ApprovalState } from './approval-state';

/** The earlier revisions of the scenario, newest first: scenario runs name the revision that they examined with. */
export function Revisions({ scenario }: { readonly scenario: Scenario }) {
  const { scenario_id: id, revision } = scenario;
  const found = useQuery({
    queryKey: ['/scenarios', 'revisions', id, revision, scenario.approved_at],
    queryFn: ({ signal }) => listRevisions(id, signal),
  });
  if (found.isError) return <Problem error={found.error} />;
  if (found.data === undefined) return null;
  const { revisions, total } = found.data;
  return (
    <section className="panel stack" aria-labelledby="revisions">
      <h2 id="revisions">Revisions</h2>
      <ol className="plain stack">
        {revisions.map((one) => (
          <li key={one.revision}>
            <Revision revision={one} isPresent={one.revision === revision} />
          </li>
        ))}
      </ol>
      {revisions.length < total && (
        <p className="quiet">{total - revisions.length} earlier revisions: read them over the API.</p>
      )}
    </section>
  );
}

function Revision({ revision, isPresent }: { revision: ScenarioRevision; isPresent: boolean }) {
  const { content, rubric_criteria, content_hash, approved_by, approved_at, created_at } = revision;
  return (
    <>
      <p>
        <strong>Revision {revision.revision}</strong>
        {isPresent && ' (current)'}, <Time at={created_at} />, <ShortHash of={content_hash} />
        {approved_at !== null && approved_by !== null && (
          <>
            , <ApprovalState of={{ ...revision, approved: true }} />
          </>
        )}
      </p>
      {!isPresent && (
        <details>
          <summary>Text and rubric</summary>
          <p>
            <UntrustedText text={content.script} />
          </p>
          <ul>
            {rubric_criteria.map(({ criterion, points }, place) => (
              <li key={place}>
                {points}: <UntrustedText text={criterion} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
