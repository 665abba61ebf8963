import { z } from 'zod';
import { RecurringTask } from '../../../src/platform/concurrency/recurring-task';
import { createLog, silentLog } from '../../../src/platform/config/log';
import { eventually } from '../../setup/eventually';

describe('a recurring task', () => {
  it('begins at once, and again after each round, never twice at the same time', async () => {
    let [rounds, underWay, most] = [0, 0, 0];
    const work = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      rounds += 1;
      underWay -= 1;
    };
    const task = new RecurringTask('counting', 1, work, silentLog);
    task.start();
    task.start();
    await eventually(() => expect(rounds).toBeGreaterThan(5));
    await task.stop();
    expect(most).toBe(1);
  });

  it('ends with the round that is under way, and can begin anew', async () => {
    let [begun, ended] = [0, 0];
    let end: () => void = () => undefined;
    const work = async () => {
      begun += 1;
      await new Promise<void>((resolve) => (end = resolve));
      ended += 1;
    };
    const task = new RecurringTask('waiting', 1, work, silentLog);
    task.start();
    let isStopped = false;
    const stopped = task.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    expect({ begun, isStopped }).toEqual({ begun: 1, isStopped: false });
    end();
    await stopped;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect({ begun, ended }).toEqual({ begun: 1, ended: 1 });
    task.start();
    expect(begun).toBe(2);
    end();
    await task.stop();
  });

  it('does nothing between its rounds once it is stopped', async () => {
    let rounds = 0;
    const task = new RecurringTask('counting', 10, async () => void (rounds += 1), silentLog);
    task.start();
    await new Promise(setImmediate);
    await task.stop();
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(rounds).toBe(1);
  });

  it('goes on after a round that failed, and says which task it was', async () => {
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => lines.push(line) });
    let rounds = 0;
    const work = async () => {
      rounds += 1;
      if (rounds === 1) throw new Error('The database is away.');
    };
    const task = new RecurringTask('counting', 1, work, log);
    task.start();
    await eventually(() => expect(rounds).toBeGreaterThan(2));
    await task.stop();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ task: 'counting', error: { message: 'The database is away.' } });
  });

  it('says once a minute, and not at every round, that it still fails; and then that it works again', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => lines.push(line) });
    const clock = { now: 0 };
    let [rounds, fails] = [0, true];
    const work = async () => {
      rounds += 1;
      if (fails) throw new Error('The database is away.');
    };
    const task = new RecurringTask('counting', 1, work, log, () => clock.now);
    task.start();
    await eventually(() => expect(rounds).toBeGreaterThan(20));
    expect(lines).toHaveLength(1);
    clock.now = 61_000;
    await eventually(() => expect(lines.length).toBe(2));
    fails = false;
    await eventually(() => expect(lines.length).toBe(3));
    const settled = rounds;
    await eventually(() => expect(rounds).toBeGreaterThan(settled + 3));
    await task.stop();
    const [first, second, last] = lines.map((line) => z.looseObject({ failures: z.int() }).parse(JSON.parse(line)));
    expect(first).toMatchObject({ level: 'warn', task: 'counting', failures: 1 });
    expect(second).toMatchObject({ level: 'warn', task: 'counting', error: { message: 'The database is away.' } });
    expect(second?.failures).toBeGreaterThan(20);
    expect(last).toMatchObject({ level: 'info', task: 'counting', msg: 'A recurring task works again' });
    expect(last?.failures).toBeGreaterThanOrEqual(second?.failures ?? 0);
  });

  it('says at once that it fails again after it has worked', async () => {
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => lines.push(line) });
    let rounds = 0;
    const work = async () => {
      rounds += 1;
      if (rounds % 2 === 0) throw new Error('The database is away.');
    };
    const task = new RecurringTask('counting', 1, work, log);
    task.start();
    await eventually(() => expect(lines.length).toBeGreaterThan(2));
    await task.stop();
  });
});
