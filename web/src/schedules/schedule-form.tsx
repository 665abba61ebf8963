import { useState, type FormEvent } from 'react';
import type { Schedule, ScheduleFields } from '../api/schedules';
import { Field } from '../parts/field';
import { FormEnd } from '../parts/form-end';
import type { Saving } from '../parts/saving';
import { Name } from '../parts/untrusted-text';
import { AgentFields } from '../start/agent-fields';
import { lastAgent } from '../start/last-agent';
import { Limits } from '../start/limits';
import { VoiceFields } from '../start/voice-fields';
import { planOf, type Draft, type Library } from '../start/plan';
import { SelectionFields } from '../start/selection-fields';
import { GateFields } from './gate-fields';
import { draftOf, fieldsOf, type ScheduleDraft } from './schedule-draft';
import { TimingFields } from './timing-fields';

interface Props {
  /** Null for a new one. */
  readonly schedule: Schedule | null;
  readonly library: Library;
  readonly saving: Saving<ScheduleFields>;
}

/** The form for a schedule: when, what is run, and what each run is measured by. */
export function ScheduleForm({ schedule, library, saving }: Props) {
  const [draft, setDraft] = useState<ScheduleDraft>(() => draftOf(schedule, lastAgent.among(library.agents) ?? ''));
  const change = (changes: Partial<ScheduleDraft>) => setDraft({ ...draft, ...changes });
  const changeRun = (changes: Partial<Draft>) => change({ run: { ...draft.run, ...changes } });
  const plan = planOf(draft.run, library, 'Each time');
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (plan.request?.kind === 'run') saving.mutate(fieldsOf(draft, plan.request.body, schedule?.run ?? null));
  };
  return (
    <form className="form schedule-form" onSubmit={save}>
      <div className="panel">
        <Field label="Name">
          {(control) => (
            <input
              {...control}
              required
              maxLength={200}
              placeholder="Nightly"
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
      </div>
      <TimingFields draft={draft} onChange={change} />
      <AgentFields draft={draft.run} agents={library.agents} onChange={changeRun} />
      <VoiceFields draft={draft.run} agents={library.agents} onChange={changeRun} />
      <SelectionFields draft={draft.run} library={library} onChange={changeRun} />
      <Limits draft={draft.run} onChange={changeRun} hasTime={false} />
      <GateFields draft={draft} onChange={change} />
      <div className="stack end">
        <div role="status" className="stack">
          {plan.obstacle !== null && <p className="notice">{plan.obstacle}</p>}
          {plan.sentences.slice(0, 1).map((sentence) => (
            <p key={sentence} className="quiet">
              <Name>{sentence}</Name>
            </p>
          ))}
        </div>
        <FormEnd saving={saving} label={schedule === null ? 'Create the schedule' : 'Save'} draft={draft} needs="run" />
      </div>
    </form>
  );
}
