import { useRef, useState } from 'react';
import { Field } from '../parts/field';

/** The secret with which the receiver verifies messages, shown only once. */
export function SigningSecret({ secret }: { readonly secret: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState('');
  const copy = async () => {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(secret);
      setOutcome('Copied.');
    } catch {
      // Browsers refuse the clipboard to pages without TLS, and when the reader denied it.
      setOutcome('This browser does not let the page copy. The secret is selected: copy it with the keyboard.');
    }
  };
  return (
    <section className="panel form" aria-labelledby="secret-title">
      <h2 id="secret-title">Signing secret</h2>
      <p className="notice">
        Copy it now: it is not shown again. If it is lost, <code>osce webhooks rotate-secret</code> makes another.
      </p>
      <Field label="Secret" help="Your program verifies the signature of each message with it.">
        {(control) => (
          <span className="secret">
            <input
              {...control}
              ref={input}
              readOnly
              className="code"
              value={secret}
              onFocus={({ target }) => target.select()}
            />
            <button type="button" className="button" onClick={() => void copy()}>
              Copy
            </button>
          </span>
        )}
      </Field>
      <p role="status">{outcome}</p>
    </section>
  );
}
