import { useDeferredValue, useId, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { approvalState, spaced } from '../../../src/domain';
import { scenarios, type Scenario } from '../api/scenarios';
import { Empty } from '../parts/empty';
import { Loaded } from '../parts/loaded';
import { counted } from '../parts/numbers';
import { Offered, useMay } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { NameAndAbout } from '../parts/name-and-about';
import { Pager } from '../parts/pager';
import { Tags } from '../parts/tags';
import { Name } from '../parts/untrusted-text';
import { useList } from '../parts/use-resource';
import { ApprovalState } from './approval-state';
import { ChosenScenarios } from './chosen-scenarios';
import { matching, tagsOf, type Approval } from './scenario-search';
import { visibleText } from '../parts/visible-parts';

const SHOWN_A_PAGE = 50;
const TAGS_SHOWN = 2;
const APPROVALS = { all: 'all', draft: 'draft', unsigned: 'not signed', signed: 'signed' } as const;
const OPTIONS = ['all', 'draft', 'unsigned', 'signed'] as const satisfies readonly Approval[];

/** The library: scenarios that can be run, and those that await a clinician's approval. */
export function ScenariosPage() {
  const [search, setSearch] = useSearchParams();
  const text = search.get('q') ?? '';
  const tag = search.get('tag') ?? '';
  const approval = OPTIONS.find((option) => option === search.get('approval')) ?? 'all';
  const page = Math.max(0, Number(search.get('page') ?? '1') - 1) || 0;
  const library = useList(scenarios);
  const tagList = useId();
  const wantedText = useDeferredValue(text);
  const wantedTag = useDeferredValue(tag);
  const found = useMemo(
    () => matching(library.data ?? [], { text: wantedText, tag: wantedTag, approval }),
    [library.data, wantedText, wantedTag, approval],
  );
  const tags = useMemo(() => tagsOf(library.data ?? []), [library.data]);
  const mayChange = useMay('change');
  const [chosen, setChosen] = useState<Choice>(new Map());
  const those = (library.data ?? []).flatMap((scenario) => {
    const readHash = chosen.get(scenario.scenario_id);
    return readHash === undefined ? [] : [{ ...scenario, readHash }];
  });
  const show = (changes: Readonly<Record<string, string>>) => {
    const next = { q: text, tag, approval: approval === 'all' ? '' : approval, page: '', ...changes };
    setSearch(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')), { replace: true });
  };
  return (
    <>
      <PageHead title="Scenarios" lead="Clinical cases: what the patient knows, and what the agent is marked on.">
        <Offered to="change">
          <Link href="/scenarios/new" className="button">
            Write a scenario
          </Link>
        </Offered>
        <Offered to="change">
          <Link href="/scenarios/import" className="button">
            Import files
          </Link>
        </Offered>
        <Offered to="change">
          <Link href="/scenarios/generate" className="button primary">
            Generate from text
          </Link>
        </Offered>
      </PageHead>
      <div className="filters" role="search">
        <input
          className="search"
          type="search"
          aria-label="Search scenarios"
          placeholder="Search names, complaints, tags"
          value={text}
          onChange={(event) => show({ q: event.target.value })}
        />
        <input
          className="narrow"
          type="search"
          aria-label="Tag"
          placeholder="Any tag"
          list={tagList}
          value={tag}
          onChange={(event) => show({ tag: event.target.value })}
        />
        <datalist id={tagList}>
          {tags
            .filter((option) => visibleText(option) === option)
            .map((option) => (
              <option key={option} value={option} />
            ))}
        </datalist>
        {OPTIONS.map((option) => (
          <button
            key={option}
            type="button"
            className="chip"
            aria-pressed={approval === option}
            onClick={() => show({ approval: option === 'all' ? '' : option })}
          >
            {APPROVALS[option]}
          </button>
        ))}
        <span className="quiet number" role="status">
          {library.data && counted(found.length, 'scenario')}
        </span>
      </div>
      {those.length > 0 && <ChosenScenarios chosen={those} onClear={() => setChosen(new Map())} />}
      <Loaded query={library}>
        {(all) =>
          found.length === 0 ? (
            <NothingFound isEmpty={all.length === 0} />
          ) : (
            <>
              <ScenarioTable
                listed={found.slice(page * SHOWN_A_PAGE, (page + 1) * SHOWN_A_PAGE)}
                choice={mayChange ? { chosen, onChoose: setChosen } : null}
              />
              <Pager
                page={page}
                pageSize={SHOWN_A_PAGE}
                total={found.length}
                onPage={(next) => show({ page: next === 0 ? '' : String(next + 1) })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function NothingFound({ isEmpty }: { isEmpty: boolean }) {
  if (!isEmpty) {
    return (
      <Empty title="No matching scenarios">
        <p>Search for something else, or choose another tag.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No scenarios yet">
      <p>Paste a protocol or guideline to generate scenarios from it, or write one yourself.</p>
      <Offered to="change">
        <Link href="/scenarios/generate" className="button primary">
          Generate from text
        </Link>
      </Offered>
    </Empty>
  );
}

/** By the id of each chosen scenario, the hash of its content when it was chosen: what its reader has read. */
type Choice = ReadonlyMap<string, string>;

interface TableProps {
  readonly listed: readonly Scenario[];
  /** Null where the key may change none of them. */
  readonly choice: { readonly chosen: Choice; readonly onChoose: (chosen: Choice) => void } | null;
}

function ScenarioTable({ listed, choice }: TableProps) {
  const choose = (of: readonly Scenario[], isChosen: boolean) => {
    const next = new Map(choice?.chosen);
    for (const { scenario_id, content_hash } of of) {
      if (isChosen) next.set(scenario_id, content_hash);
      else next.delete(scenario_id);
    }
    choice?.onChoose(next);
  };
  return (
    <div className="table-frame">
      <table className="rows">
        <thead>
          <tr>
            {choice !== null && (
              <th scope="col">
                <input
                  type="checkbox"
                  aria-label="Choose all on this page"
                  checked={listed.every(({ scenario_id }) => choice.chosen.has(scenario_id))}
                  onChange={({ target }) => choose(listed, target.checked)}
                />
              </th>
            )}
            <th scope="col">Scenario</th>
            <th scope="col">Category</th>
            <th scope="col">Severity</th>
            <th scope="col">Tags</th>
            <th scope="col" className="number">
              Criteria
            </th>
            <th scope="col">Approval</th>
          </tr>
        </thead>
        <tbody>
          {listed.map((scenario) => (
            <tr key={scenario.scenario_id}>
              {choice !== null && (
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Choose ${visibleText(scenario.name)}`}
                    checked={choice.chosen.has(scenario.scenario_id)}
                    onChange={({ target }) => choose([scenario], target.checked)}
                  />
                </td>
              )}
              <th scope="row" className="wide">
                <NameAndAbout
                  href={`/scenarios/${scenario.scenario_id}`}
                  name={scenario.name}
                  about={scenario.content.chief_complaint}
                />
              </th>
              <td data-label="Category" className="nowrap">
                <Name>{spaced(scenario.category)}</Name>
              </td>
              <td data-label="Severity">{scenario.severity}</td>
              <td data-label="Tags">
                <Tags tags={scenario.tags.filter((name) => name !== scenario.category)} shownAtMost={TAGS_SHOWN} />
              </td>
              <td data-label="Criteria" className="number">
                {scenario.rubric_criteria.length}
              </td>
              <td
                data-label="Approval"
                className={approvalState(scenario) === 'signed' ? 'approval signed' : 'approval'}
              >
                <ApprovalState of={scenario} />
                {!scenario.approved && (
                  <>
                    {' '}
                    <Link
                      href={`/scenarios/${scenario.scenario_id}`}
                      className="button small"
                      aria-label={`Read and approve ${visibleText(scenario.name)}`}
                    >
                      Read and approve
                    </Link>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
