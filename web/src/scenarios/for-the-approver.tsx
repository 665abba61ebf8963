import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { scenarios, type Criterion, type Scenario } from '../api/scenarios';
import { Name, UntrustedText } from '../parts/untrusted-text';
import { useList } from '../parts/use-resource';
import { DISPOSITIONS, linesOf, sourcesOf, type Source } from './station';

interface Props {
  readonly content: Scenario['content'];
  readonly tags: readonly string[];
  readonly rubric: readonly Criterion[];
}

/** What a clinician considers before approving, besides script and rubric. Neither the patient nor the judge sees any of it. */
export function ForTheApprover({ content, tags, rubric }: Props) {
  const forbidden = new Set(rubric.flatMap(({ criterion, points }) => (points < 0 ? [criterion] : [])));
  const gold = linesOf(content['gold_standard']);
  const disposition = linesOf(content['disposition']).map((word) => DISPOSITIONS.get(word) ?? word);
  return (
    <section className="panel stack" aria-labelledby="approver">
      <h2 id="approver">For the approver</h2>
      <dl className="for-approver">
        <Fact title="Urgency" lines={disposition} />
        <Fact title="The caller asks for" lines={linesOf(content['asks_for'])} />
        <Fact title="Hazard" lines={linesOf(content['hazard'])} />
        <Twin name={content['twin_of']} />
        <dt>Gold standard</dt>
        <dd>{gold.length === 0 ? <Missing>None given.</Missing> : <Lines lines={gold} />}</dd>
        <dt>Sources</dt>
        <dd>
          <Sources given={content['sources'] ?? content['references'] ?? content['source']} forbidden={forbidden} />
        </dd>
        <dt>Tags</dt>
        <dd className="tagged">
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
      <ModelReplies replies={linesOf(content['model_replies'])} />
    </section>
  );
}

/** Left out when empty: most scenarios have neither a twin nor such fields. */
function Fact({ title, lines }: { title: string; lines: readonly string[] }) {
  return lines.length === 0 ? null : (
    <>
      <dt>{title}</dt>
      <dd>
        <Lines lines={lines} />
      </dd>
    </>
  );
}

function Twin({ name }: { name: unknown }) {
  const list = useList(scenarios);
  if (typeof name !== 'string' || name === '') return null;
  const twin = list.data?.find((scenario) => scenario.name === name);
  return (
    <>
      <dt>Twin</dt>
      <dd>
        {twin === undefined ? (
          <Name>{name}</Name>
        ) : (
          <Link href={`/scenarios/${twin.scenario_id}`}>
            <Name>{name}</Name>
          </Link>
        )}
        <p className="quiet">It opens with the same words, but the underlying facts differ.</p>
      </dd>
    </>
  );
}

interface SourcesProps {
  readonly given: unknown;
  /** Criteria that the agent must not meet: a source speaks against them. */
  readonly forbidden: ReadonlySet<string>;
}

function Sources({ given, forbidden }: SourcesProps) {
  const { published, others } = sourcesOf(given);
  if (published.length + others.length === 0) return <Missing>None given.</Missing>;
  return (
    <>
      {published.map((source, place) => (
        <PublishedSource key={place} source={source} forbidden={forbidden} />
      ))}
      <Lines lines={others} />
    </>
  );
}

interface PublishedProps {
  readonly source: Source;
  readonly forbidden: ReadonlySet<string>;
}

function PublishedSource({ source: { publisher, title, year, says, supports = [] }, forbidden }: PublishedProps) {
  return (
    <div className="source">
      <p>
        <Name>{publisher}</Name>,{' '}
        <cite>
          <Name>{title}</Name>
        </cite>
        {year !== undefined && ` (${year})`}
      </p>
      {says !== undefined && (
        <p className="quiet">
          <UntrustedText text={says} />
        </p>
      )}
      {supports.length > 0 && (
        <ul className="bulleted">
          {supports.map((criterion, place) => (
            <li key={place}>
              {forbidden.has(criterion) && <strong>Must not: </strong>}
              <UntrustedText text={criterion} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ModelReplies({ replies }: { replies: readonly string[] }) {
  return replies.length === 0 ? null : (
    <details className="model-replies">
      <summary>What an ideal clinician says, turn by turn</summary>
      <ol>
        {replies.map((reply, place) => (
          <li key={place}>
            <UntrustedText text={reply} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, place) => (
    <p key={place}>
      <UntrustedText text={line} />
    </p>
  ));
}

function Missing({ children }: { children: ReactNode }) {
  return <span className="quiet">{children}</span>;
}
