import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { MUST_PASS_TAG, spaced } from '../../../src/domain';
import type { ScenarioRun } from '../api/scenario-runs';
import { counted } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';
import { heatOf, type Heat, type HeatCell } from './criteria-heat-rows';

/** With fewer scenarios or kinds the list of what was missed says it all. */
const LEAST = 2;
const ROWS_AT_MOST = 200;

interface Props {
  readonly scenarioRuns: readonly ScenarioRun[];
  /** How many the run has. */
  readonly total: number;
}

/** Scenarios × kinds of criteria, as a heat map of what was missed; drawn when it is opened. */
export function CriteriaHeat({ scenarioRuns, total }: Props) {
  const [isOpen, setOpen] = useState(false);
  const heat = useMemo(() => heatOf(scenarioRuns), [scenarioRuns]);
  if (heat.kinds.length < LEAST || heat.rows.length < LEAST) return null;
  return (
    <details className="circumstances trial-grid" onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>
        What was missed, by kind of criterion: {counted(heat.rows.length, 'scenario')} ×{' '}
        {counted(heat.kinds.length, 'kind')}
      </summary>
      {isOpen && <Cells heat={heat} held={scenarioRuns.length} total={total} />}
    </details>
  );
}

interface CellsProps {
  readonly heat: Heat;
  readonly held: number;
  readonly total: number;
}

function Cells({ heat: { kinds, rows }, held, total }: CellsProps) {
  return (
    <>
      <p className="quiet small">
        Criteria missed, of all that were marked in the scenario’s conversations; the darker, the more. A criterion with
        several tags counts under each.
        {rows.length > ROWS_AT_MOST && ` The ${ROWS_AT_MOST} worst of ${rows.length.toLocaleString()} scenarios.`}
        {held < total && ` Of the first ${counted(held, 'conversation')} only.`}
      </p>
      <div className="table-frame" tabIndex={0} role="region" aria-label="Scenarios by kinds of criteria">
        <table>
          <thead>
            <tr>
              <th scope="col">Scenario</th>
              {kinds.map((kind) => (
                <th key={kind ?? 'none'} scope="col">
                  <Name>{nameOf(kind)}</Name>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, ROWS_AT_MOST).map(({ id, name, cells }) => (
              <tr key={id}>
                <th scope="row" title={visibleText(name)}>
                  <Name>{name}</Name>
                </th>
                {cells.map((cell, place) => (
                  <td key={kinds[place] ?? 'none'}>
                    <Cell cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Cell({ cell }: { readonly cell: HeatCell | null }) {
  if (cell === null) return <span className="unseen">no such criterion</span>;
  const { missed, of, conversation } = cell;
  return (
    <Link href={`/scenario-runs/${conversation}`} className={`heat heat-${Math.ceil((missed / of) * STEPS)}`}>
      <span aria-hidden="true">
        {missed}/{of}
      </span>
      <span className="unseen">
        {missed} of {of} missed
      </span>
    </Link>
  );
}

const STEPS = 4;

/** `medication_safety` is “medication safety”. */
function nameOf(kind: string | null): string {
  if (kind === null) return 'no kind';
  return kind === MUST_PASS_TAG ? 'must pass' : spaced(kind);
}
