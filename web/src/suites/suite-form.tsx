import { useState, type FormEvent } from 'react';
import type { Suite, SuiteFields } from '../api/suites';
import { FormEnd } from '../parts/form-end';
import { namedFields, NameFields, type Named } from '../parts/name-fields';
import type { Saving } from '../parts/saving';
import { ScenarioPicker } from '../scenarios/scenario-picker';

interface Props {
  /** Null for a new one. */
  readonly suite: Suite | null;
  readonly saving: Saving<SuiteFields>;
}

export function SuiteForm({ suite, saving }: Props) {
  const [named, setNamed] = useState<Named>({ name: suite?.name ?? '', description: suite?.description ?? '' });
  const [chosen, setChosen] = useState<readonly string[]>(suite?.scenario_ids ?? []);
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({ ...namedFields(named), scenario_ids: chosen });
  };
  return (
    <form className="form suite-form" onSubmit={save}>
      <NameFields value={named} onChange={setNamed} />
      <fieldset className="panel choosing">
        <legend>Scenarios</legend>
        <ScenarioPicker chosen={chosen} onChange={setChosen} />
      </fieldset>
      <div className="stack end">
        <FormEnd saving={saving} label={suite === null ? 'Create the suite' : 'Save'} draft={{ named, chosen }} />
      </div>
    </form>
  );
}
