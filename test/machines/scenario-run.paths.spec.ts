import { transition, type AnyEventObject } from 'xstate';
import { scenarioRunMachine } from '../../machines/scenario-run.machine';
import {
  byState,
  done,
  pathsOf,
  replay,
  situation,
  statesAlong,
  statesOf,
  survey,
  transitionsOf,
  withSilentEffects,
  type Replay,
} from './chart-paths';
import {
  everyEvent,
  exchangeAt,
  outcomesOfTurn,
  outsideEvents,
  rows,
  rowWith,
  turnOf,
  walkFrom,
} from './scenario-run.walks';

const chart = withSilentEffects(scenarioRunMachine);
const { situations, problem } = survey(chart, rows.map(walkFrom));
const live = situations.filter((snapshot) => snapshot.status === 'active');
const ended = situations.filter((snapshot) => snapshot.status !== 'active');

test('every walk through the chart comes to an end', () => {
  expect(problem).toBeNull();
});

describe('paths through the chart of a scenario run', () => {
  const lives: { events: readonly AnyEventObject[]; once: Replay; twice: Replay }[] = [];

  beforeAll(() => {
    for (const row of rows) {
      for (const events of pathsOf(chart, walkFrom(row))) {
        lives.push({ events, once: replay(chart, row, events), twice: replay(chart, row, events, 2) });
      }
    }
  });

  it('take every transition and visit every state', () => {
    const taken = new Set(lives.flatMap(({ once, twice }) => [...once.taken, ...twice.taken]));
    const missed = [...transitionsOf(chart)].filter(([definition]) => !taken.has(definition));
    expect(missed.map(([, name]) => name)).toEqual([]);
    const visited = statesAlong(taken);
    expect(statesOf(chart).filter((id) => !visited.has(id))).toEqual([]);
  });

  it('lead to the same places when every event comes twice', () => {
    for (const { events, once, twice } of lives) {
      expect({ events, situations: twice.situations }).toEqual({ events, situations: once.situations });
      expect([...twice.takenByRepeats].filter((definition) => definition.target !== undefined)).toEqual([]);
    }
  });
});

describe('a recorded turn', () => {
  const recording = live.filter((snapshot) => snapshot.matches({ active: { conversing: 'recordingTurn' } }));

  it('is reached in the middle of a conversation and at its end', () => {
    expect(new Set(recording.map(turnOf))).toEqual(new Set([1, 2]));
  });

  it('joins the transcript as it was said, and the next turn begins with nothing said', () => {
    for (const snapshot of recording) {
      const turn = turnOf(snapshot);
      const [{ context }] = transition(chart, snapshot, done('recordTurn', { turn }));
      expect(context).toMatchObject({
        exchanges: [...snapshot.context.exchanges, exchangeAt(turn)],
        patientMessage: null,
        reply: null,
      });
    }
  });
});

describe('an outcome of another turn', () => {
  it.each(byState(live))('changes nothing in %s', (_, snapshots) => {
    for (const snapshot of snapshots) {
      const turn = turnOf(snapshot);
      for (const event of [...outcomesOfTurn(turn - 1), ...outcomesOfTurn(turn + 1)]) {
        const [next, actions] = transition(chart, snapshot, event);
        expect({ event, ...situation(next), actions }).toEqual({ event, ...situation(snapshot), actions: [] });
      }
    }
  });
});

describe('an event after the end', () => {
  it.each(byState(ended))('changes nothing in %s', (_, snapshots) => {
    for (const snapshot of snapshots) {
      for (const event of everyEvent(turnOf(snapshot))) {
        const [next, actions] = transition(chart, snapshot, event);
        expect({ event, ...situation(next), actions }).toEqual({ event, ...situation(snapshot), actions: [] });
      }
    }
  });

  it('finds no handler: final states stand outside the region that can be canceled', () => {
    const outside = Object.values(chart.root.states).filter((node) => node.key !== 'active');
    expect(outside.map((node) => [node.key, node.type])).toEqual([
      ['pending', 'atomic'],
      ['passed', 'final'],
      ['failed', 'final'],
      ['error', 'final'],
      ['canceled', 'final'],
      ['superseded', 'final'],
      ['released', 'final'],
    ]);
    expect([chart.root, ...outside].flatMap((node): unknown[] => node.ownEvents)).toEqual([]);
  });
});

describe('the cancellation of a scenario run', () => {
  it.each(byState(live))('ends it for good in %s', (_, snapshots) => {
    for (const snapshot of snapshots) {
      const [canceled] = transition(chart, snapshot, { type: 'runCanceled' });
      expect(canceled).toMatchObject({ value: 'canceled', status: 'done' });
      for (const event of everyEvent(turnOf(snapshot))) {
        expect(transition(chart, canceled, event)[0]).toMatchObject({ value: 'canceled', status: 'done' });
      }
    }
  });

  it.each(['passed', 'failed', 'error'] as const)('leaves a scenario run that %s as it is', (status) => {
    const { situations: lived } = replay(chart, rowWith({ status }), outsideEvents);
    expect(lived.map((each) => each.value)).toEqual([status, status, status, status]);
  });
});
