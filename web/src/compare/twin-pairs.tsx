import { kindInWords } from '../../../src/domain';
import type { Comparison } from '../api/statistics';
import { counted } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { KindsOfCriteria } from './criteria-groups';

/** What one way of holding the same conversations costs against the other, pair by pair; nothing for runs that are no twins. */
export function TwinPairs({ comparison }: { readonly comparison: Comparison }) {
  const { twins } = comparison;
  if (twins === null) return null;
  const { before, after, pairs, not_compared: missing } = twins;
  const [title, rest] = split(twins.sentence);
  const left = pairs.total - pairs.compared;
  return (
    <section className="panel stack" aria-labelledby="twins-title">
      <h2 id="twins-title">
        <Name>{title}</Name>
      </h2>
      <p className="says">
        <Name>{rest}</Name>
      </p>
      <table className="forest">
        <caption className="quiet small">{counted(pairs.compared, 'pair')} of conversations</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">
              passed <Name>{after}</Name>
            </th>
            <th scope="col">
              failed <Name>{after}</Name>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">
              passed <Name>{before}</Name>
            </th>
            <td className="number">{pairs.both_passed}</td>
            <td className="number">{pairs.only_before_passed}</td>
          </tr>
          <tr>
            <th scope="row">
              failed <Name>{before}</Name>
            </th>
            <td className="number">{pairs.only_after_passed}</td>
            <td className="number">{pairs.neither_passed}</td>
          </tr>
        </tbody>
      </table>
      {left > 0 && (
        <p className="quiet small">
          {counted(left, 'pair')} could not be compared:{' '}
          {missing.map(({ run, status, error_code, count }) => (
            <span key={`${run} ${status} ${error_code ?? ''}`}>
              {count} <Name>{run === 'before' ? before : after}</Name> {error_code ?? status}.{' '}
            </span>
          ))}
        </p>
      )}
      {twins.criteria.length > 0 && (
        <KindsOfCriteria
          caption="Criteria that were met, over the same pairs"
          comparison={comparison}
          kinds={twins.criteria.map((kind) => ({ ...kind, name: <Name>{kindInWords(kind)}</Name> }))}
        />
      )}
      <p className="quiet small">
        <Name>{twins.adjustment}</Name>
      </p>
    </section>
  );
}

/** The title of a sentence, which ends with a colon, and the rest of it. */
function split(sentence: string): [title: string, rest: string] {
  const colon = sentence.indexOf(': ');
  const rest = sentence.slice(colon + 2);
  return colon < 0 ? [sentence, ''] : [sentence.slice(0, colon), `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`];
}
