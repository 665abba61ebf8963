import { join } from 'node:path';
import { KnownAgents, type StartedAgent } from '../../../src/agents/voice/timing/known-agents';
import { unaborted } from '../provider.contract';

const PROGRAM = join(__dirname, '..', '..', 'fakes', 'known-agents-program.cjs');

describe('Agents whose delays are known', () => {
  const begun: StartedAgent[] = [];
  afterEach(() => {
    for (const agent of begun.splice(0)) agent.end();
  });

  async function begin(agents: KnownAgents, command: object = {}): Promise<StartedAgent> {
    const agent = await agents.begin(command, unaborted());
    begun.push(agent);
    return agent;
  }

  const processOf = ({ url }: StartedAgent): string => new URL(url).host;
  const because = (reason: string) => ({
    code: 'connect_failed',
    message: `The agent with known delays cannot be used: ${reason}.`,
  });

  it('share a process, which ends with the last of them', async () => {
    const agents = new KnownAgents(PROGRAM);
    const first = await begin(agents);
    const second = await begin(agents);
    expect(first.url).not.toBe(second.url);
    expect(processOf(second)).toBe(processOf(first));
    first.end();
    first.end();
    // The process goes on, and was told.
    expect(await second.answer(0, 60_000, unaborted())).toMatchObject({ turn: 0, from: 2 });
    second.end();
    const third = await begin(agents);
    expect(processOf(third)).not.toBe(processOf(first));
  });

  it('that fail are ended, and tell why', async () => {
    const agents = new KnownAgents(PROGRAM);
    const first = await begin(agents);
    await expect(begin(agents, { fails: 'no port' })).rejects.toMatchObject(because('no port'));
    expect(await first.answer(0, 60_000, unaborted())).toMatchObject({ turn: 0 });
    expect(processOf(await begin(agents))).toBe(processOf(first));
  });

  it.each<[string, object, string]>([
    ['by itself', { exits: 3 }, 'exit code 3'],
    ['by a signal', { killed: true }, 'SIGTERM'],
  ])('end with their process when it ends %s, and the next one is in another', async (_, command, how) => {
    const agents = new KnownAgents(PROGRAM);
    const first = await begin(agents);
    await expect(begin(agents, command)).rejects.toMatchObject(because(how));
    await expect(first.answer(0, 60_000, unaborted())).rejects.toMatchObject(because(how));
    expect(processOf(await begin(agents))).not.toBe(processOf(first));
  });

  it('are not waited for by whoever gives up', async () => {
    const agents = new KnownAgents(PROGRAM);
    const ending = new AbortController();
    const waiting = agents.begin({ waits: true }, ending.signal);
    ending.abort();
    await expect(waiting).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
  });

  it('of a program that is not there do not begin', async () => {
    await expect(begin(new KnownAgents(join(__dirname, 'nowhere.cjs')))).rejects.toMatchObject(because('exit code 1'));
  });
});
