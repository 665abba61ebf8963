import type { ReactNode } from 'react';
import { canSpeak, DISTURBANCES, LARGEST_SEED, LINES, SPEAKING_RATES, type Line } from '../../../src/domain';
import type { Agent } from '../api/agents';
import { Field } from '../parts/field';
import { TagChips } from '../parts/tag-chips';
import type { Draft } from './plan';
import type { SpokenDraft } from './spoken-draft';

interface Props {
  readonly draft: Draft;
  readonly agents: readonly Agent[];
  readonly onChange: (changes: Partial<Draft>) => void;
  /** Further choices of a spoken run. */
  readonly children?: ReactNode;
}

const LINE_NAMES: Readonly<Record<Line, string>> = {
  wideband: 'Wideband, as over the internet',
  phone: 'Telephone',
  mobile_bad: 'Bad mobile connection',
};

/** Whether the conversations are spoken, and how the patient sounds. Shown for agents that can be spoken with. */
export function VoiceFields({ draft, agents, onChange, children }: Props) {
  const agent = agents.find(({ id }) => id === draft.agentId);
  const isOffered = agent !== undefined && canSpeak(agent.provider);
  // A choice that another agent cannot follow is not hidden: it can be taken back.
  if (!isOffered && !draft.isSpoken) return null;
  return (
    <fieldset className="panel">
      <legend>Voice</legend>
      <div className="choices">
        <label className="choice">
          <input
            type="checkbox"
            checked={draft.isSpoken}
            onChange={({ target }) => onChange({ isSpoken: target.checked })}
          />
          <span>
            <strong>Examine by voice</strong>
            <span className="help">
              The patient calls the agent and speaks. Needs espeak-ng or a speech server on the service.
            </span>
          </span>
        </label>
        {children}
      </div>
      {draft.isSpoken && <Sound draft={draft} onChange={onChange} />}
    </fieldset>
  );
}

interface SoundProps {
  readonly draft: SpokenDraft;
  readonly onChange: (changes: Partial<SpokenDraft>) => void;
}

function Sound({ draft, onChange }: SoundProps) {
  return (
    <>
      <div className="form-row">
        <Field label="Line">
          {(control) => (
            <select
              {...control}
              value={draft.line}
              onChange={({ target }) => {
                const line = LINES.find((one) => one === target.value);
                if (line !== undefined) onChange({ line });
              }}
            >
              {LINES.map((line) => (
                <option key={line} value={line}>
                  {LINE_NAMES[line]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Patient’s voice" optional help="As the speech server or espeak-ng calls it.">
          {(control) => (
            <input
              {...control}
              maxLength={100}
              placeholder="the one set up"
              value={draft.voice}
              onChange={({ target }) => onChange({ voice: target.value })}
            />
          )}
        </Field>
        <Field label="Speaking rate" optional>
          {(control) => (
            <input
              {...control}
              type="number"
              min={SPEAKING_RATES.least}
              max={SPEAKING_RATES.most}
              step="any"
              placeholder="1"
              value={draft.rate}
              onChange={({ target }) => onChange({ rate: target.value })}
            />
          )}
        </Field>
        <Field label="Noise" optional help="babble, pink or hum, and how much louder the patient is in dB.">
          {(control) => (
            <input
              {...control}
              pattern="(babble|pink|hum):([0-9]|[1-3][0-9]|40)"
              placeholder="babble:10"
              value={draft.noise}
              onChange={({ target }) => onChange({ noise: target.value })}
            />
          )}
        </Field>
        <Field label="Seed" optional help="The same seed disturbs the same turns.">
          {(control) => (
            <input
              {...control}
              type="number"
              min={0}
              max={LARGEST_SEED}
              placeholder="random"
              value={draft.spokenSeed}
              onChange={({ target }) => onChange({ spokenSeed: target.value })}
            />
          )}
        </Field>
      </div>
      <div className="field">
        <span className="label">
          Disturbances<span className="optional"> (optional)</span>
        </span>
        <TagChips
          tags={DISTURBANCES}
          chosen={draft.sounds}
          label="Disturbances"
          onChange={(chosen) => onChange({ sounds: DISTURBANCES.filter((sound) => chosen.includes(sound)) })}
        />
      </div>
    </>
  );
}
