import type { Scenario } from '../api/scenarios';
import { Name, UntrustedText } from '../parts/untrusted-text';

interface Props {
  readonly content: Scenario['content'];
  readonly tags: readonly string[];
}

/** What a clinician weighs before approving, beside script and rubric: gold standard, sources, tags. */
export function ForTheApprover({ content, tags }: Props) {
  const sources = listOf(content['sources'] ?? content['references'] ?? content['source']);
  const gold = listOf(content['gold_standard']);
  return (
    <section className="panel stack" aria-labelledby="approver">
      <h2 id="approver">For the approver</h2>
      <dl className="facts">
        <dt>Gold standard</dt>
        <dd>{gold.length === 0 ? <Missing>None given.</Missing> : <Lines lines={gold} />}</dd>
        <dt>Sources</dt>
        <dd>{sources.length === 0 ? <Missing>None given.</Missing> : <Lines lines={sources} />}</dd>
        <dt>Tags</dt>
        <dd>
          {tags.length === 0 ? (
            <Missing>None.</Missing>
          ) : (
            tags.map((tag) => (
              <span key={tag} className="tag">
                <Name>{tag}</Name>
              </span>
            ))
          )}
        </dd>
      </dl>
    </section>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, place) => (
    <p key={place}>
      <UntrustedText text={line} />
    </p>
  ));
}

function Missing({ children }: { children: string }) {
  return <span className="quiet">{children}</span>;
}

/** One line for each part of any JSON. */
function listOf(value: unknown): string[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value.flatMap(listOf);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}
