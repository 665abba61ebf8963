import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listKeys, revokeKey, type NamedKey, type NewKey } from '../api/keys';
import { ConfirmButton } from '../parts/confirm-button';
import { Empty } from '../parts/empty';
import { Loading } from '../parts/loading';
import { PageHead } from '../parts/page-head';
import { Allowed } from '../parts/permissions';
import { Problem } from '../parts/problem';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { NewKeyForm } from './new-key-form';

const KEYS = ['keys'];

/** Keys of programs: who made which, when each was last used, and how one is made and revoked. */
export function KeysPage() {
  return (
    <>
      <PageHead title="Keys" lead="A key is for one program, and what the program does stands under its name." />
      <Allowed to="change">
        <Keys />
      </Allowed>
    </>
  );
}

function Keys() {
  // Kept out of the query cache: the secret is gone once this view is left.
  const [made, setMade] = useState<NewKey | null>(null);
  const queries = useQueryClient();
  const keys = useQuery({ queryKey: KEYS, queryFn: ({ signal }) => listKeys(signal) });
  const refresh = () => queries.invalidateQueries({ queryKey: KEYS });
  return (
    <>
      {made !== null && <Secret made={made} />}
      {keys.isError && <Problem error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isPending && <Loading />}
      {keys.data?.length === 0 && <Empty title="No named keys yet">{null}</Empty>}
      {keys.data !== undefined && keys.data.length > 0 && <KeyTable keys={keys.data} onRevoked={refresh} />}
      <NewKeyForm
        onMade={(key) => {
          setMade(key);
          return refresh();
        }}
      />
    </>
  );
}

function Secret({ made }: { readonly made: NewKey }) {
  return (
    <section className="panel form" aria-labelledby="secret-title">
      <h2 id="secret-title">
        The key “<Name>{made.name}</Name>”
      </h2>
      <p className="notice">Copy it now: it is not shown again.</p>
      <input
        readOnly
        className="code"
        aria-label="Key"
        value={made.key}
        autoFocus
        onFocus={({ target }) => target.select()}
      />
    </section>
  );
}

function KeyTable({
  keys,
  onRevoked,
}: {
  readonly keys: readonly NamedKey[];
  readonly onRevoked: () => Promise<void>;
}) {
  const revoking = useMutation({ mutationFn: revokeKey, onSuccess: onRevoked });
  return (
    <>
      {revoking.error !== null && <Problem error={revoking.error} />}
      <div className="table-frame">
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Role</th>
              <th scope="col">Begins</th>
              <th scope="col">Created</th>
              <th scope="col">Last used</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.id}>
                <th scope="row">
                  <Name>{key.name}</Name>
                </th>
                <td data-label="Role">{key.role}</td>
                <td data-label="Begins">
                  <code>{key.hint}</code>
                </td>
                <td data-label="Created">
                  <Time at={key.created_at} />
                  <p className="quiet small">
                    by <Name>{key.created_by}</Name>
                  </p>
                </td>
                <td data-label="Last used">{key.last_used_at === null ? 'never' : <Time at={key.last_used_at} />}</td>
                <td data-label="State">
                  <State of={key} />
                  {key.state !== 'revoked' && (
                    <ConfirmButton
                      label="Revoke"
                      question={`Revoke ${key.name}? What uses it is refused from then on.`}
                      onConfirm={() => revoking.mutate(key.id)}
                      busy={revoking.isPending}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function State({ of: { state, expires_at, revoked_by } }: { readonly of: NamedKey }) {
  return (
    <p>
      {state}
      {state === 'revoked' && revoked_by !== null && (
        <span className="quiet small">
          {' '}
          by <Name>{revoked_by}</Name>
        </span>
      )}
      {state === 'live' && expires_at !== null && (
        <span className="quiet small">
          {' '}
          until <Time at={expires_at} />
        </span>
      )}
    </p>
  );
}
