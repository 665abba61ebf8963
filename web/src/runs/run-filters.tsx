import { useState } from 'react';
import { Link } from 'wouter';
import { MODALITIES, TEST_RUN_STATUSES } from '../../../src/domain';
import { agents } from '../api/agents';
import { suites } from '../api/suites';
import { Empty } from '../parts/empty';
import { Name } from '../parts/untrusted-text';
import { useList } from '../parts/use-resource';
import { visibleText } from '../parts/visible-parts';
import { addressOf, LONGEST_SEARCH, type RunChoice, type TextChoice } from './run-filter';

interface Props {
  readonly choice: RunChoice;
  /** Of the agent that is chosen, when a run of the list tells it. */
  readonly agentName: string | undefined;
  /** @param isTyped the address is replaced: going back does not go letter by letter */
  readonly onChoose: (changes: RunChoice, isTyped?: boolean) => void;
}

/** Behind “More filters”. */
const FOLDED: readonly (TextChoice | 'modality')[] = [
  'modality',
  'agent_id',
  'agent_version',
  'test_suite_id',
  'from',
  'to',
];

/** Which runs are shown: by status, text and tag; folded away by agent, version, suite and day. */
export function RunFilters({ choice, agentName, onChoose }: Props) {
  const chosen = FOLDED.filter((name) => choice[name] !== undefined);
  // That of the agent alone is named beside the search.
  const [isOpen, setOpen] = useState(chosen.some((name) => name !== 'agent_id'));
  return (
    <>
      <div className="filters" role="group" aria-label="Show only runs that are">
        {[undefined, ...TEST_RUN_STATUSES].map((option) => (
          <button
            key={option ?? 'all'}
            type="button"
            className="chip"
            aria-pressed={option === choice.status}
            onClick={() => onChoose({ status: option })}
          >
            {option ?? 'all'}
          </button>
        ))}
      </div>
      <div className="filters" role="search">
        <input
          className="search"
          type="search"
          aria-label="Search runs"
          placeholder="Search name, note, tag, agent, version"
          maxLength={LONGEST_SEARCH}
          value={choice.q ?? ''}
          onChange={({ target }) => onChoose({ q: target.value.trimStart() }, true)}
        />
        {choice.tag !== undefined && (
          <button type="button" className="chip" aria-pressed onClick={() => onChoose({ tag: undefined })}>
            tag <Name>{choice.tag}</Name> <span aria-hidden="true">×</span>
          </button>
        )}
        {choice.agent_id !== undefined && (
          <button type="button" className="chip" aria-pressed onClick={() => onChoose({ agent_id: undefined })}>
            agent <Name>{agentName ?? choice.agent_id}</Name> <span aria-hidden="true">×</span>
          </button>
        )}
        <button type="button" className="chip" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          More filters{chosen.length > 0 && ` (${chosen.length})`}
        </button>
      </div>
      {isOpen && <MoreFilters choice={choice} onChoose={onChoose} />}
    </>
  );
}

function MoreFilters({ choice, onChoose }: Omit<Props, 'agentName'>) {
  const candidates = useList(agents).data ?? [];
  const selections = useList(suites).data ?? [];
  return (
    <div className="filters more-filters" role="group" aria-label="Runs by agent, suite and day">
      <Choice
        label="Agent"
        value={choice.agent_id}
        options={candidates.map(({ id, name }) => [id, name])}
        onChoose={(agent_id) => onChoose({ agent_id })}
      />
      <label>
        Version{' '}
        <input
          className="narrow"
          maxLength={LONGEST_SEARCH}
          value={choice.agent_version ?? ''}
          onChange={({ target }) => onChoose({ agent_version: target.value.trimStart() }, true)}
        />
      </label>
      <Choice
        label="Conversations"
        value={choice.modality}
        options={[
          ['text', 'in text'],
          ['spoken', 'spoken'],
        ]}
        onChoose={(chosen) => onChoose({ modality: MODALITIES.find((one) => one === chosen) })}
      />
      <Choice
        label="Suite"
        value={choice.test_suite_id}
        options={selections.map(({ id, name }) => [id, name])}
        onChoose={(test_suite_id) => onChoose({ test_suite_id })}
      />
      <label>
        From{' '}
        <input
          type="date"
          className="narrow"
          value={choice.from ?? ''}
          onChange={({ target }) => onChoose({ from: target.value })}
        />
      </label>
      <label>
        To{' '}
        <input
          type="date"
          className="narrow"
          value={choice.to ?? ''}
          onChange={({ target }) => onChoose({ to: target.value })}
        />
      </label>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [id: string, name: string])[];
  readonly onChoose: (id: string | undefined) => void;
}

/** One of those that exist, or the one that the address names, which may be deleted. */
function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const isKnown = value === undefined || options.some(([id]) => id === value);
  return (
    <label>
      {label}{' '}
      <select
        className="narrow"
        value={value ?? ''}
        onChange={({ target }) => onChoose(target.value === '' ? undefined : target.value)}
      >
        <option value="">any</option>
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {visibleText(name)}
          </option>
        ))}
        {!isKnown && <option value={value}>{visibleText(value)}</option>}
      </select>
    </label>
  );
}

/** What a choice is called where it can be dropped. */
const NAMES: Readonly<Record<keyof RunChoice, string>> = {
  status: 'status',
  modality: 'text or voice',
  q: 'the text',
  tag: 'the tag',
  agent_id: 'the agent',
  agent_version: 'the version',
  test_suite_id: 'the suite',
  from: 'the first day',
  to: 'the last day',
};

/** Says what no run is, and which filter may be dropped. */
export function NoSuchRuns({ choice }: { readonly choice: RunChoice }) {
  const { status, modality, q, tag, agent_id, agent_version, test_suite_id, from, to } = choice;
  const asked = [
    ...(status === undefined ? [] : [status]),
    ...(modality === undefined ? [] : [modality === 'spoken' ? 'spoken' : 'in text']),
    ...(tag === undefined ? [] : [`tagged ${tag}`]),
    ...(agent_id === undefined ? [] : ['of that agent']),
    ...(agent_version === undefined ? [] : [`of version ${agent_version}`]),
    ...(test_suite_id === undefined ? [] : ['of that suite']),
    ...(from === undefined ? [] : [`made on ${from} or later`]),
    ...(to === undefined ? [] : [`made on ${to} or before`]),
    ...(q === undefined ? [] : [`with “${q}”`]),
  ];
  const droppable = dropped(choice);
  return (
    <Empty title="No such runs">
      <p>
        No run is <Name>{asked.join(', ')}</Name>. {droppable.length > 1 && 'Drop one of these: '}
        {droppable.length > 1 &&
          droppable.map(({ name, value, address }) => (
            <span key={name}>
              <Link href={`/?${address}`}>
                {NAMES[name]}
                {!name.endsWith('_id') && (
                  <>
                    {' '}
                    <Name>{value}</Name>
                  </>
                )}
              </Link>{' '}
            </span>
          ))}
        <Link href="/">See all runs</Link>
      </p>
    </Empty>
  );
}

interface Dropped {
  readonly name: keyof RunChoice;
  readonly value: string;
  /** Of the same list without it. */
  readonly address: string;
}

function dropped(choice: RunChoice): Dropped[] {
  const names: readonly (keyof RunChoice)[] = ['status', 'q', 'tag', ...FOLDED];
  return names.flatMap((name) => {
    const value = choice[name];
    if (value === undefined) return [];
    return [{ name, value, address: new URLSearchParams(addressOf({ ...choice, [name]: undefined })).toString() }];
  });
}
