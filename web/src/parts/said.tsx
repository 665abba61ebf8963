import { UntrustedText } from './untrusted-text';

interface Props {
  readonly transcript: readonly {
    readonly turn: number;
    readonly role: 'patient' | 'agent';
    readonly content: string;
  }[];
}

/** A conversation to be read: who said what in which turn, without evidence or marks. */
export function Said({ transcript }: Props) {
  return (
    <ol className="said">
      {transcript.map(({ turn, role, content }) => (
        <li key={`${turn} ${role}`} className={`message ${role}`}>
          <p className="who">
            <span className="role">{role === 'patient' ? 'Patient' : 'Agent'}</span>
            <span className="turn number">turn {turn}</span>
          </p>
          <div className="says">
            <UntrustedText text={content} />
          </div>
        </li>
      ))}
    </ol>
  );
}
