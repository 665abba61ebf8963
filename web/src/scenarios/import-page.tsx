import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { lintScenario, scenarios, type Scenario } from '../api/scenarios';
import { Field } from '../parts/field';
import { FileProblems } from '../parts/file-problems';
import { valuesIn, type FileProblem, type FileValue } from '../parts/file-values';
import { Loaded } from '../parts/loaded';
import { Allowed } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { useList } from '../parts/use-resource';
import { ProposedScenarios, type Proposed } from './proposed-scenarios';
import { keyOf, readScenario, type FileScenario } from './scenario-file';

/** More are imported by the command, which also updates those that are stored. */
const MOST_SCENARIOS = 200;

/** Scenarios from files: first previewed, then saved, then approved by a clinician. */
export function ImportPage() {
  const library = useList(scenarios);
  return (
    <>
      <PageHead
        title="Import scenarios"
        above={{ href: '/scenarios', label: 'Scenarios' }}
        lead="Files of YAML, JSON or JSON lines. You see what they hold before anything is saved."
      />
      <Allowed to="change">
        <Loaded query={library}>{(stored) => <Importing stored={stored} />}</Loaded>
      </Allowed>
    </>
  );
}

function Importing({ stored }: { readonly stored: readonly Scenario[] }) {
  const [proposed, setProposed] = useState<readonly Proposed[]>([]);
  const [problems, setProblems] = useState<readonly FileProblem[]>([]);
  // Of two choices the later one counts, whichever is read first.
  const choices = useRef(0);
  const reading = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const choice = (choices.current += 1);
      const read = await proposalsIn(files, stored);
      if (choice !== choices.current) return;
      setProposed(read.proposed);
      setProblems(read.problems);
    },
  });
  return (
    <>
      <form className="form panel" onSubmit={(event) => event.preventDefault()}>
        <Field
          label="Files"
          help={`As “Download” in the list of scenarios or “osce export scenarios” writes them; ${MOST_SCENARIOS} scenarios at most. They are saved as drafts: an approval covers what was read here. To update scenarios that are stored, use osce import.`}
        >
          {(control) => (
            <input
              {...control}
              type="file"
              multiple
              accept=".yaml,.yml,.json,.jsonl"
              // A corrected file of the same name is chosen again.
              onClick={({ currentTarget }) => {
                currentTarget.value = '';
              }}
              onChange={({ target }) => reading.mutate([...(target.files ?? [])])}
            />
          )}
        </Field>
      </form>
      <div aria-live="polite" className="stack">
        {reading.isPending && <p>Reading them…</p>}
        {reading.isError && <Problem error={reading.error} />}
        <FileProblems problems={problems} />
      </div>
      {proposed.length > 0 && <ProposedScenarios proposed={proposed} onChange={(change) => setProposed(change)} />}
    </>
  );
}

interface ReadFiles {
  readonly proposed: readonly Proposed[];
  readonly problems: readonly FileProblem[];
}

async function proposalsIn(files: readonly File[], stored: readonly Scenario[]): Promise<ReadFiles> {
  const problems: FileProblem[] = [];
  const read: { readonly where: string; readonly scenario: FileScenario }[] = [];
  for (const file of files) {
    const content = await valuesIn(file);
    problems.push(...content.problems);
    for (const { where, value } of content.values.flatMap(unwrapped)) {
      const scenario = readScenario(value);
      if (typeof scenario === 'string') problems.push({ where: `${where}${namedAs(value)}`, problem: scenario });
      else if (read.length === MOST_SCENARIOS)
        problems.push({ where, problem: `is beyond ${MOST_SCENARIOS} scenarios` });
      else read.push({ where, scenario });
    }
  }
  const proposed: Proposed[] = [];
  const known = new Known(stored);
  for (const { where, scenario } of read) {
    try {
      proposed.push(await proposalOf(scenario, known.noteOn(scenario)));
    } catch (error) {
      problems.push({ where, problem: error instanceof Error ? error.message : 'cannot be checked' });
    }
  }
  return { proposed, problems };
}

/** Some wrap their list: `scenarios: […]`. */
function unwrapped({ where, value }: FileValue): readonly FileValue[] {
  const list: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'scenarios') : undefined;
  if (!Array.isArray(list)) return [{ where, value }];
  const values: readonly unknown[] = list;
  return values.map((one, at) => ({ where: `${where}[${at}]`, value: one }));
}

/** The name of what cannot be read, for a person who looks for it. */
function namedAs(value: unknown): string {
  const name: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'name') : undefined;
  return typeof name === 'string' && name.trim() !== '' ? ` (“${name.slice(0, 100)}”)` : '';
}

/** The scenarios that are stored, and those that came before in the files: by their keys, and by their names. */
class Known {
  private readonly keys = new Map<string, string>();
  private readonly names = new Set<string>();

  constructor(stored: readonly Scenario[]) {
    for (const { name, content } of stored) this.add(name, keyOf({ content }));
  }

  /** What one should know before this one is saved; null when it is new. */
  noteOn(scenario: FileScenario): string | null {
    const { name } = scenario;
    const key = keyOf(scenario);
    const sameKey = key === null ? undefined : this.keys.get(key);
    const isNamed = this.names.has(name);
    this.add(name, key);
    if (sameKey !== undefined) {
      return `“${sameKey}” has the same key: saving this one makes a second, which osce import cannot tell from it.`;
    }
    return isNamed ? 'There is a scenario of this name: saving this one makes a second.' : null;
  }

  private add(name: string, key: string | null): void {
    this.names.add(name);
    if (key !== null && !this.keys.has(key)) this.keys.set(key, name);
  }
}

async function proposalOf(scenario: FileScenario, note: string | null): Promise<Proposed> {
  const { name, category, severity, scenario_type: type, priority, tags, key, content, rubric_criteria } = scenario;
  const findings = await lintScenario({ name, content, rubric_criteria }, AbortSignal.timeout(60_000));
  return {
    chosen: note === null,
    ...(note !== null && { note }),
    proposal: {
      name,
      category: category ?? 'general',
      ...(severity !== null && severity !== undefined && { severity }),
      ...(type !== null && type !== undefined && { scenario_type: type }),
      ...(priority !== null && priority !== undefined && { priority }),
      tags: [...(tags ?? [])],
      // The key is what a later “osce import” finds it by.
      content: { ...content, ...(key !== null && key !== undefined && { import_key: key }) },
      rubric_criteria,
      findings: [...findings],
    },
  };
}
