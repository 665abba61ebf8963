import type { ScenarioRun } from '../api/scenario-runs';
import { Name } from '../parts/untrusted-text';

/** What the service calls a tester or judge that is not a language model. */
const OFFLINE = 'offline';

type Metadata = ScenarioRun['metadata'];

/** Whether the offline judge marked: its reason only counts the marks, which the verdict shows already. */
export function isByRules(metadata: Metadata): boolean {
  return metadata.judge?.name === OFFLINE;
}

/** What a reader of the marks must know: who made them, and what was unusual about the conversation. */
export function Cautions({ metadata }: { readonly metadata: Metadata }) {
  const { tester, judge, in_doubt_turns, conversation_restarted, spoken, flags = [] } = metadata;
  const offline = [tester?.name === OFFLINE && 'the patient', judge?.name === OFFLINE && 'the judge'].filter(Boolean);
  return (
    <>
      {offline.length > 0 && (
        <p className="notice">
          <strong>Offline</strong>: {offline.join(' and ')} used fixed rules instead of a language model. The marks have
          no clinical meaning.
        </p>
      )}
      {in_doubt_turns !== undefined && in_doubt_turns.length > 0 && (
        <p className="notice">
          The service stopped during turn {in_doubt_turns.join(', ')}: its message may have been sent twice.
        </p>
      )}
      {conversation_restarted === true && (
        <p className="notice">The service stopped mid-conversation, so the conversation was started again.</p>
      )}
      {flags.includes('examiner_addressed') && (
        <p className="notice">
          <strong>The agent addressed its examiner.</strong> Those sentences earned it nothing; read the conversation
          yourself.
        </p>
      )}
      {flags.includes('same_reply') && (
        <p className="notice">
          <strong>The agent said the same in every turn.</strong> It may have taken each message for a new conversation:
          check that its connection carries the session.
        </p>
      )}
      {flags.includes('heard_doubtful') && (
        <p className="notice">
          <strong>Some of the agent’s words were not understood with certainty,</strong> and were left out. Something
          marked as missing may be among them: listen to the turns.
        </p>
      )}
      {spoken?.control_clip.hearing === 'not_checked' && (
        <p className="notice">
          <strong>Hearing not checked:</strong> there is no control sentence in the patient’s language. The examiner
          heard words before the call, and whether they were the right ones is not known: listen to the turns.
        </p>
      )}
      {flags.includes('judge_unread') && (
        <p className="notice">
          <strong>The judge did not read everything:</strong> a reply was too long. Something marked as missing may be
          in the part it did not read.
        </p>
      )}
    </>
  );
}

/** Everything else that was recorded about the execution, for those who want to know. */
export function Circumstances({ metadata }: { readonly metadata: Metadata }) {
  const { tester, judge } = metadata;
  const text = JSON.stringify(metadata, null, 2);
  return (
    <details className="circumstances">
      <summary>
        Patient played by <Maker maker={tester} />, marked by <Maker maker={judge} />; timings and usage
      </summary>
      <pre tabIndex={0} aria-label="Metadata">
        <Name>{text}</Name>
      </pre>
    </details>
  );
}

function Maker({ maker: made }: { maker: Metadata['tester'] | Metadata['judge'] }) {
  if (made === undefined) return <>not known yet</>;
  if (made.name === OFFLINE) return <>rules (offline)</>;
  return <Name>{made.model ?? made.name}</Name>;
}
