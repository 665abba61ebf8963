import { useId } from 'react';
import type { Criterion, ScenarioContent } from '../api/scenarios';
import { Field } from '../parts/field';
import { Name } from '../parts/untrusted-text';
import { isSame } from '../parts/three-way';
import { sourcesOf, type Source } from './station';

/** A published guideline as it stands in the form. */
interface SourceDraft {
  readonly publisher: string;
  readonly title: string;
  readonly year: string;
  readonly says: string;
  /** The criteria that stand on it, word for word. */
  readonly supports: readonly string[];
  /** As it was stored, with fields that this form does not know; null for a new one. */
  readonly given: object | null;
}

/** The sources of a scenario in the form, and as they were stored. */
export interface SourcesDraft {
  readonly drafts: readonly SourceDraft[];
  readonly given: readonly object[] | null;
}

const EMPTY: SourceDraft = { publisher: '', title: '', year: '', says: '', supports: [], given: null };

/** Null for sources that are not written as this form writes them: it leaves those as they are. */
export function draftedSources(content: ScenarioContent | undefined): SourcesDraft | null {
  const given: unknown = content?.['sources'];
  if (given === undefined) return { drafts: [], given: null };
  if (!Array.isArray(given)) return null;
  const stored: readonly unknown[] = given;
  const objects = stored.filter((one): one is object => typeof one === 'object' && one !== null);
  const { published, others } = sourcesOf(objects);
  if (others.length > 0 || published.length < stored.length) return null;
  const drafts = published.map((source, place) => fieldsOf(source, objects[place] ?? null));
  return { drafts, given: objects };
}

function fieldsOf({ publisher, title, year, says = '', supports = [] }: Source, given: object | null): SourceDraft {
  return { publisher, title, year: year?.toString() ?? '', says, supports, given };
}

/** The field to add to a scenario's content: what was not changed stays word for word as it was stored. */
export function sourcesContent({ drafts, given }: SourcesDraft): { readonly sources?: readonly object[] } {
  if (drafts.length === 0 && (given === null || given.length > 0)) return {};
  return { sources: drafts.map(written) };
}

/** Written anew when one of them was changed. */
const EDITED: ReadonlySet<string> = new Set(['publisher', 'title', 'year', 'says', 'supports']);

function written(draft: SourceDraft): object {
  const { publisher, title, year, says, supports, given } = draft;
  const [source] = given === null ? [] : sourcesOf([given]).published;
  if (source !== undefined && isSame(fieldsOf(source, given), draft)) return given ?? {};
  const others = Object.fromEntries(Object.entries(given ?? {}).filter(([key]) => !EDITED.has(key)));
  return {
    ...others,
    publisher: publisher.trim(),
    title: title.trim(),
    ...(year.trim() !== '' && { year: Number(year) }),
    ...(says.trim() !== '' && { says }),
    ...(supports.length > 0 && { supports: [...supports] }),
  };
}

/** The sources after criteria were worded anew, one by one: they support the new words. */
export function reworded(
  sources: SourcesDraft,
  before: readonly Criterion[],
  after: readonly Criterion[],
): SourcesDraft {
  const words = new Map(
    before.flatMap(({ criterion: was }, place) => {
      const is = after[place]?.criterion ?? was;
      return was === is || was.trim() === '' ? [] : [[was, is] as const];
    }),
  );
  if (words.size === 0) return sources;
  const drafts = sources.drafts.map((draft) =>
    draft.supports.some((one) => words.has(one))
      ? { ...draft, supports: draft.supports.map((one) => words.get(one) ?? one) }
      : draft,
  );
  return { ...sources, drafts };
}

interface Props {
  readonly drafts: readonly SourceDraft[];
  readonly onChange: (drafts: readonly SourceDraft[]) => void;
  readonly rubric: readonly Criterion[];
}

/** The guidelines that the criteria stand on. */
export function SourceFields({ drafts, onChange, rubric }: Props) {
  const change = (index: number, changes: Partial<SourceDraft>) =>
    onChange(drafts.map((draft, at) => (at === index ? { ...draft, ...changes } : draft)));
  return (
    <fieldset className="panel">
      <legend>Sources</legend>
      {drafts.length === 0 && <p className="help">The published guidelines that the criteria stand on. None given.</p>}
      {drafts.map((draft, index) => (
        <OneSource
          key={index}
          draft={draft}
          number={index + 1}
          rubric={rubric}
          onChange={(changes) => change(index, changes)}
          onRemove={() => onChange(drafts.filter((_, at) => at !== index))}
        />
      ))}
      <div>
        <button type="button" className="button small" onClick={() => onChange([...drafts, EMPTY])}>
          Add a source
        </button>
      </div>
    </fieldset>
  );
}

interface OneProps {
  readonly draft: SourceDraft;
  /** From 1. */
  readonly number: number;
  readonly rubric: readonly Criterion[];
  readonly onChange: (changes: Partial<SourceDraft>) => void;
  readonly onRemove: () => void;
}

function OneSource({ draft, number, rubric, onChange, onRemove }: OneProps) {
  const title = useId();
  return (
    <div className="stack source-fields" role="group" aria-labelledby={title}>
      <h3 id={title}>Source {number}</h3>
      <div className="form-row">
        <Field label="Publisher">
          {(control) => (
            <input
              {...control}
              required
              maxLength={200}
              value={draft.publisher}
              onChange={({ target }) => onChange({ publisher: target.value })}
            />
          )}
        </Field>
        <Field label="Year" optional>
          {(control) => (
            <input
              {...control}
              type="number"
              min={1900}
              max={2100}
              value={draft.year}
              onChange={({ target }) => onChange({ year: target.value })}
            />
          )}
        </Field>
      </div>
      <Field label="Title, with its number">
        {(control) => (
          <input
            {...control}
            required
            maxLength={500}
            value={draft.title}
            onChange={({ target }) => onChange({ title: target.value })}
          />
        )}
      </Field>
      <Field label="What it says about this case" optional help="In words of your own.">
        {(control) => (
          <textarea
            {...control}
            rows={2}
            maxLength={2_000}
            value={draft.says}
            onChange={({ target }) => onChange({ says: target.value })}
          />
        )}
      </Field>
      <Supports draft={draft} rubric={rubric} onChange={(supports) => onChange({ supports })} />
      <div>
        <button type="button" className="button small" onClick={onRemove}>
          Remove source {number}
        </button>
      </div>
    </div>
  );
}

interface SupportsProps {
  readonly draft: SourceDraft;
  readonly rubric: readonly Criterion[];
  readonly onChange: (supports: readonly string[]) => void;
}

/** Criteria by their words: those that are no longer in the rubric can only be taken out. */
function Supports({ draft: { supports }, rubric, onChange }: SupportsProps) {
  const written = rubric.map(({ criterion }) => criterion).filter((criterion) => criterion.trim() !== '');
  const all = [...new Set([...written, ...supports])];
  if (all.length === 0) return null;
  return (
    <details>
      <summary>Criteria that stand on it: {supports.length}</summary>
      {all.map((criterion) => (
        <label key={criterion} className="check">
          <input
            type="checkbox"
            checked={supports.includes(criterion)}
            onChange={({ target }) =>
              onChange(target.checked ? [...supports, criterion] : supports.filter((one) => one !== criterion))
            }
          />
          <span>
            <Name>{criterion}</Name>
            {!written.includes(criterion) && <span className="quiet"> (no longer in the rubric)</span>}
          </span>
        </label>
      ))}
    </details>
  );
}
