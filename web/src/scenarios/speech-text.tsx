import type { ScenarioContent } from '../api/scenarios';
import { Name } from '../parts/untrusted-text';
import { LIMIT_KINDS, SPEECH_KINDS, storedTexts, type SpeechKinds } from './speech-draft';
import { LIMIT_WORDS, SPEECH_WORDS } from './speech-fields';
import { linesOf } from './station';

/** What a scenario says about speech, to be read; nothing where it says nothing. */
export function SpeechText({ content }: { readonly content: ScenarioContent }) {
  const flags = linesOf(content['red_flags']);
  const facts = [
    ...factsOf(SPEECH_KINDS, SPEECH_WORDS, content['speech']),
    ...factsOf(LIMIT_KINDS, LIMIT_WORDS, content['speech_limits']),
    ...(flags.length === 0 ? [] : [{ label: 'Red flags', text: flags.join('; ') }]),
  ];
  if (facts.length === 0) return null;
  return (
    <section className="panel stack" aria-labelledby="spoken-title">
      <h2 id="spoken-title">Spoken</h2>
      <dl className="for-approver">
        {facts.map(({ label, text }) => (
          <div key={label}>
            <dt>
              <Name>{label}</Name>
            </dt>
            <dd>
              <Name>{text}</Name>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function factsOf(kinds: SpeechKinds, words: Readonly<Record<string, { readonly label: string }>>, stored: unknown) {
  return storedTexts(kinds, stored).map(([key, text]) => ({
    label: words[key]?.label ?? (key === '' ? 'Something else' : key),
    text: text.replaceAll('\n', '; '),
  }));
}
