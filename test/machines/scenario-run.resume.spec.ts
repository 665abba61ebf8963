import fc from 'fast-check';
import { MAX_TURNS, MIN_TURNS, type Ending } from '../../src/domain/conversation';
import { FINAL_SCENARIO_RUN_STATUSES } from '../../src/domain/statuses';
import { tries } from '../setup/sample';
import { exchangeAt, verdictThat } from './scenario-run.walks';
import {
  freshRow,
  MOST_CALLS,
  StoredScenarioRun,
  type Interruption,
  type Row,
  type Story,
} from './stored-scenario-run';

const stories = fc.record<Story>({
  maxTurns: fc.integer({ min: MIN_TURNS, max: MAX_TURNS }),
  hasRubric: fc.boolean(),
  passes: fc.boolean(),
  trouble: fc.option(
    fc.record({
      call: fc.constantFrom('connect', 'compose', 'send', 'judge'),
      turn: fc.integer({ min: 1, max: MAX_TURNS }),
    }),
    { freq: 3 },
  ),
  hangUp: fc.option(
    fc.record({ turn: fc.integer({ min: 1, max: MAX_TURNS }), replies: fc.boolean(), heard: fc.boolean() }),
    { freq: 2 },
  ),
  disconnectFails: fc.boolean(),
});

const COMPLETE: Ending = { endedBy: null, unansweredMessage: null };

function interruptions(...kinds: Interruption['kind'][]) {
  return fc.record<Interruption>({
    kind: fc.constantFrom(...kinds),
    atCall: fc.integer({ min: 1, max: MOST_CALLS }),
    afterWork: fc.boolean(),
  });
}

/** How the story must end, whoever tells it: what the row says, but for the number of attempts. */
function endOf({ maxTurns, hasRubric, passes, trouble, hangUp }: Story) {
  const none = { ...freshRow, attempt: 0, status: 'error' as const };
  if (!hasRubric) return { ...none, failure: expect.objectContaining({ code: 'no_rubric' }) as unknown };
  const failure = { code: 'provider_error', message: `The ${trouble?.call} call went wrong.` };
  if (trouble?.call === 'connect') return { ...none, failure };
  const lastTurn = Math.min(maxTurns, hangUp?.turn ?? maxTurns);
  if (trouble !== null && trouble.call !== 'judge' && trouble.turn <= lastTurn) {
    return { ...none, failure, exchanges: turnsRecorded(trouble.turn - 1) };
  }
  if (hangUp?.turn === 1 && !hangUp.replies) {
    const early = { code: 'provider_error', message: expect.stringContaining('before its first reply') as unknown };
    return { ...none, failure: early };
  }
  const isUnanswered = hangUp !== null && hangUp.turn <= maxTurns && !hangUp.replies;
  const exchanges = turnsRecorded(isUnanswered ? hangUp.turn - 1 : lastTurn);
  const ending: Ending = {
    endedBy: exchanges.length < maxTurns ? 'agent' : null,
    unansweredMessage: isUnanswered && hangUp.heard ? exchangeAt(hangUp.turn).patientMessage : null,
  };
  if (trouble?.call === 'judge') return { ...none, failure, exchanges, ending };
  const verdict = { ...verdictThat(passes), summary: exchanges.map(({ turn }) => turn).join() };
  return { ...none, status: passes ? 'passed' : 'failed', exchanges, ending, verdict };
}

function outcomeOf({ row }: StoredScenarioRun) {
  return { ...row, attempt: 0 };
}

function turnsRecorded(count: number) {
  return Array.from({ length: count }, (_, index) => exchangeAt(index + 1));
}

describe('a scenario run started from any row', () => {
  const starts = [5, 6, 7].flatMap((maxTurns) => [
    { maxTurns, row: freshRow },
    ...Array.from({ length: maxTurns + 1 }, (_, turns) => ({
      maxTurns,
      row: { ...freshRow, status: 'running' as const, attempt: turns, exchanges: turnsRecorded(turns) },
    })),
    {
      maxTurns,
      row: {
        ...freshRow,
        status: 'grading' as const,
        attempt: 1,
        exchanges: turnsRecorded(maxTurns),
        ending: COMPLETE,
      },
    },
  ]);

  it.each(starts.map(({ maxTurns, row }) => [row.status, row.exchanges.length, maxTurns, row] as const))(
    'ends as an undisturbed one: %s after %i of %i turns',
    async (_status, _turns, maxTurns, row) => {
      for (const hasRubric of [true, false]) {
        for (const passes of [true, false]) {
          const story: Story = { maxTurns, hasRubric, passes, trouble: null, hangUp: null, disconnectFails: false };
          const run = new StoredScenarioRun(story, row);
          const state = await run.execute();
          const expected = endOf(story);
          expect(state).toBe(expected.status);
          if (hasRubric) expect(outcomeOf(run)).toEqual(expected);
          else
            expect(run).toMatchObject({ row: { status: 'error', failure: { code: 'no_rubric' } }, outsideCalls: [] });
        }
      }
    },
  );

  it.each(FINAL_SCENARIO_RUN_STATUSES)('that is %s stays so and calls nobody', async (status) => {
    const row: Row = { ...freshRow, status, attempt: 1, exchanges: turnsRecorded(5), verdict: verdictThat(true) };
    const run = new StoredScenarioRun(
      { maxTurns: 5, hasRubric: true, passes: false, trouble: null, hangUp: null, disconnectFails: false },
      row,
    );
    expect(await run.execute()).toBe(status);
    expect(run).toMatchObject({ row: { ...row, attempt: 2 }, outsideCalls: [] });
  });
});

describe('a conversation that the agent ends', () => {
  const story = (hangUp: Story['hangUp']): Story => {
    return { maxTurns: 6, hasRubric: true, passes: true, trouble: null, hangUp, disconnectFails: false };
  };

  it.each([
    ['with its third reply', { turn: 3, replies: true, heard: true }, 3, null],
    ['before it has heard the fourth message', { turn: 4, replies: false, heard: false }, 3, null],
    ['in place of its fourth', { turn: 4, replies: false, heard: true }, 3, exchangeAt(4).patientMessage],
  ])('%s is graded on three turns', async (_when, hangUp, turns, unansweredMessage) => {
    const run = new StoredScenarioRun(story(hangUp));
    expect(await run.execute()).toBe('passed');
    expect(run.row).toMatchObject({ exchanges: turnsRecorded(turns), ending: { endedBy: 'agent', unansweredMessage } });
    expect(run.outsideCalls.filter((call) => call === `compose ${hangUp.turn + 1}`)).toEqual([]);
  });

  it.each([
    { turn: 3, replies: true, heard: true },
    { turn: 4, replies: false, heard: true },
  ])('is never gone on with by the attempt after a kill: %j', async (hangUp) => {
    const run = new StoredScenarioRun(story(hangUp));
    // As soon as it reads, the judge's process is gone.
    for (let atCall = 1; run.row.status !== 'grading'; atCall += 1) {
      run.row = freshRow;
      await run.execute({ kind: 'killed', atCall, afterWork: true });
    }
    const before = run.outsideCalls.length;
    expect(await run.execute()).toBe('passed');
    expect(run.outsideCalls.slice(before).sort()).toEqual(['disconnect', 'judge']);
    expect(run.row.exchanges).toEqual(turnsRecorded(3));
  });

  it('with its last reply has had all its turns', async () => {
    const run = new StoredScenarioRun(story({ turn: 6, replies: true, heard: true }));
    expect(await run.execute()).toBe('passed');
    expect(run.row).toMatchObject({ exchanges: turnsRecorded(6), ending: COMPLETE });
  });

  it('before it has replied at all ends in an error that says so', async () => {
    const run = new StoredScenarioRun(story({ turn: 1, replies: false, heard: true }));
    expect(await run.execute()).toBe('error');
    expect(run.row).toMatchObject({
      ending: null,
      failure: {
        code: 'provider_error',
        message: expect.stringMatching(/ended the conversation before its first reply/),
      },
    });
  });
});

describe('an undisturbed scenario run', () => {
  it('ends as its story says', async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (story) => {
        const run = new StoredScenarioRun(story);
        expect(await run.execute()).toBe(endOf(story).status);
        expect(outcomeOf(run)).toEqual(endOf(story));
      }),
      { numRuns: tries({ inCi: 300, elsewhere: 60 }) },
    );
  });
});

describe('a scenario run whose processes are killed, stopped or paused at any call', () => {
  it('ends as an undisturbed one, and no recorded turn is sent again', async () => {
    const interrupted = fc.array(interruptions('killed', 'shutDown'), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(stories, interrupted, async (story, planned) => {
        const run = new StoredScenarioRun(story);
        for (const interruption of planned) {
          if (run.isFinal) break;
          const recorded = run.row.exchanges.length;
          const before = run.outsideCalls.length;
          const state = await run.execute(interruption);
          expect(['killed', 'released', run.row.status]).toContain(state);
          const sentAgain = turnsOf(run.outsideCalls.slice(before)).filter((turn) => turn <= recorded);
          expect(sentAgain).toEqual([]);
        }
        if (!run.isFinal) await run.execute();
        expect(outcomeOf(run)).toEqual(endOf(story));
        // Recorded in order, and each turn once.
        expect(run.row.exchanges).toEqual(turnsRecorded(run.row.exchanges.length));
      }),
      { numRuns: tries({ inCi: 300, elsewhere: 60 }) },
    );
  });

  it('hears nothing from a process that was taken for dead and wakes up', async () => {
    await fc.assert(
      fc.asyncProperty(
        stories,
        fc.array(interruptions('paused'), { minLength: 1, maxLength: 3 }),
        async (story, planned) => {
          const run = new StoredScenarioRun(story);
          let pauses = 0;
          for (const interruption of planned) {
            if (run.isFinal) break;
            if ((await run.execute(interruption)) === 'paused') pauses += 1;
          }
          if (!run.isFinal) await run.execute();
          const { row } = run;
          const before = run.outsideCalls.length;
          const states = await run.wakePaused();
          expect(run.row).toBe(row);
          expect(states).toHaveLength(pauses);
          // What was committed before the pause may be the end of it; everything else is refused at the first write.
          for (const state of states) expect(['superseded', row.status]).toContain(state);
          const sends = run.outsideCalls.slice(before).filter((call) => call.startsWith('send'));
          expect(sends.length).toBeLessThanOrEqual(pauses);
          expect(outcomeOf(run)).toEqual(endOf(story));
        },
      ),
      { numRuns: tries({ inCi: 300, elsewhere: 60 }) },
    );
  });
});

describe('a scenario run canceled at any call', () => {
  it('is canceled for good and calls nobody afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(stories, interruptions('canceled'), async (story, interruption) => {
        const run = new StoredScenarioRun(story);
        const state = await run.execute(interruption);
        const calls = [...run.outsideCalls];
        await new Promise(setImmediate);
        expect(run.outsideCalls).toEqual(calls);
        if (run.row.status === 'canceled') expect(run.row).toMatchObject({ verdict: null, failure: null });
        else expect(outcomeOf(run)).toEqual(endOf(story));
        expect(['canceled', run.row.status]).toContain(state);
      }),
      { numRuns: tries({ inCi: 200, elsewhere: 40 }) },
    );
  });

  it('ends at its next write when it does not hear of the cancellation', async () => {
    await fc.assert(
      fc.asyncProperty(stories, interruptions('canceledUnheard'), async (story, interruption) => {
        const run = new StoredScenarioRun(story);
        const state = await run.execute(interruption);
        if (run.row.status === 'canceled') {
          expect(run.row).toMatchObject({ verdict: null, failure: null });
          expect(state).toBe('canceled');
        } else expect(state).toBe(run.row.status);
      }),
      { numRuns: tries({ inCi: 200, elsewhere: 40 }) },
    );
  });
});

function turnsOf(outsideCalls: readonly string[]): readonly number[] {
  return outsideCalls.filter((call) => call.startsWith('send ')).map((call) => Number(call.slice('send '.length)));
}
