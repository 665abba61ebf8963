import type { ScenarioRunStatus } from '../../../src/domain';

interface Props {
  readonly done: number;
  readonly of: number;
  readonly status: ScenarioRunStatus;
}

/** A conversation's turns as steps: recorded ones filled, the current one pulsing. */
export function Turns({ done, of, status }: Props) {
  const under = status === 'running' ? done : -1;
  return (
    <span className="turns">
      <svg viewBox={`0 0 ${of * 10} 8`} aria-hidden="true">
        {Array.from({ length: of }, (_, turn) => (
          <rect
            key={turn}
            x={turn * 10}
            width="8"
            height="8"
            rx="1.5"
            className={turn < done ? 'done' : turn === under ? 'under-way' : undefined}
          />
        ))}
      </svg>
      <span className="number">
        {done}/{of}
      </span>
      <span className="unseen"> turns</span>
    </span>
  );
}
