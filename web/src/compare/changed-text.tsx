import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { listRevisions, type ScenarioRevision } from '../api/scenarios';
import { ChangedLines, changedLines, linesOf } from '../parts/changed-lines';
import { Loading } from '../parts/loading';
import { Problem } from '../parts/problem';
import { checkWords } from '../../../src/domain';
import { visibleText } from '../parts/visible-parts';
import { Name } from '../parts/untrusted-text';

/** A scenario whose text or rubric changed between two runs, with the hash of what either examined. */
export interface RevisedScenario {
  readonly id: string;
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** What was changed of a scenario between two runs; read when it is opened. */
export function ChangedText({ scenario }: { readonly scenario: RevisedScenario }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Name>{scenario.name}</Name>
      </summary>
      {isOpen && <Changes scenario={scenario} />}
    </details>
  );
}

function Changes({ scenario: { id, name, before, after } }: { readonly scenario: RevisedScenario }) {
  const found = useQuery({
    queryKey: ['/scenarios', 'revisions', id],
    queryFn: ({ signal }) => listRevisions(id, signal),
  });
  if (found.isError) return <Problem error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <Loading />;
  const { revisions } = found.data;
  const [was, is] = [before, after].map((hash) => revisions.find(({ content_hash }) => content_hash === hash));
  if (was === undefined || is === undefined) {
    return <p className="quiet">One of the two texts is no longer among the scenario’s newest revisions.</p>;
  }
  return <Lines was={was} is={is} label={`Changes of ${visibleText(name)}`} />;
}

interface LinesProps {
  readonly was: ScenarioRevision;
  readonly is: ScenarioRevision;
  readonly label: string;
}

function Lines({ was, is, label }: LinesProps) {
  const { lines } = useMemo(() => changedLines(textOf(was), textOf(is)), [was, is]);
  return <ChangedLines lines={lines} label={label} />;
}

/** A criterion a line, then the case. */
function textOf({ content, rubric_criteria }: ScenarioRevision): string[] {
  const rubric = rubric_criteria.map(({ criterion, points, tags, by_turn: turn, check }) => {
    const more = [
      ...tags,
      ...(turn === undefined ? [] : [`by turn ${turn}`]),
      ...(check === undefined ? [] : [`checked by a rule: ${checkWords(check)}`]),
    ];
    return `${points > 0 ? '+' : ''}${points}: ${criterion}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
  });
  return ['Rubric', ...rubric, '', 'Case', ...linesOf(content)];
}
