import { KnownAgent, type KnownVoice } from '../../../src/agents/voice/timing/known-agent';
import type { KnownAgentEvent, KnownTurn } from '../../../src/agents/voice/timing/known-agent-wire';
import { StartedAgent } from '../../../src/agents/voice/timing/known-agents';
import { constructedVoice } from '../../../src/agents/voice/timing/constructed-voice';
import { machineMs } from '../../../src/agents/voice/sound-clocks';
import { eventually } from '../../setup/eventually';
import { unaborted } from '../provider.contract';

const RATE = 8_000;
const TURN: KnownTurn = { delayMs: 1, speechMs: 500, yieldsAfterMs: null };
type Spoken = Awaited<ReturnType<KnownVoice['say']>>;

/** A voice that says something until a test ends it. */
class SlowVoice implements KnownVoice {
  readonly rate = RATE;
  readonly said: Int16Array[] = [];
  hushed = 0;
  private done: (spoken: Spoken) => void = () => undefined;

  say(samples: Int16Array): Promise<Spoken> {
    this.said.push(samples);
    return new Promise((resolve) => (this.done = resolve));
  }

  hush(): void {
    this.hushed += 1;
  }

  ends(spoken: Spoken = { from: 1, to: 2, isReliable: true }): void {
    this.done(spoken);
  }
}

function agentWith(...turns: KnownTurn[]) {
  const voice = new SlowVoice();
  const events: KnownAgentEvent[] = [];
  const agent = new KnownAgent(voice, turns, (event) => events.push(event));
  const began = machineMs();
  const hear = (milliseconds: number, at: number, isLoud: boolean) =>
    agent.hear(isLoud ? constructedVoice(milliseconds, RATE) : new Int16Array(milliseconds * 8), began + at, RATE);
  return { voice, events, hear, began };
}

describe('An agent whose delays are known', () => {
  it('answers once the patient has been silent, and writes down when it heard the end and spoke', async () => {
    const { voice, events, hear, began } = agentWith(TURN);
    hear(100, -400, true);
    hear(100, -300, false);
    expect(voice.said).toEqual([]);
    hear(100, -200, false);
    await eventually(() => expect(voice.said).toHaveLength(1));
    expect(voice.said[0]).toHaveLength(500 * 8);
    voice.ends({ from: 5, to: 6, isReliable: false });
    await eventually(() => expect(events).toHaveLength(1));
    const [event] = events;
    expect(event).toMatchObject({ type: 'answered', turn: 0, from: 5, to: 6, isReliable: false, interruptedAt: null });
    expect(event).toHaveProperty('heardEnd');
    const heardEnd = event?.type === 'answered' ? event.heardEnd : 0;
    expect(heardEnd - began).toBeGreaterThan(-305);
    expect(heardEnd - began).toBeLessThanOrEqual(-299.9);
  });

  it('speaks no sooner than its delay', async () => {
    const { voice, hear, began } = agentWith({ ...TURN, delayMs: 300 });
    hear(100, -200, true);
    hear(130, -100, false);
    await eventually(() => expect(voice.said).toHaveLength(1));
    // The last loud sample came 100 ms before; a timer is early by two.
    expect(machineMs()).toBeGreaterThanOrEqual(began + 190);
    voice.ends();
  });

  it('answers each utterance by its turn, and none after the last', async () => {
    const { voice, events, hear } = agentWith(TURN, { ...TURN, speechMs: 300 });
    for (const [place, at] of [-3_000, -2_000].entries()) {
      hear(100, at, true);
      hear(200, at + 100, false);
      await eventually(() => expect(voice.said).toHaveLength(place + 1));
      voice.ends();
      await eventually(() => expect(events).toHaveLength(place + 1));
    }
    expect(voice.said.map(({ length }) => length / 8)).toEqual([500, 300]);
    expect(events).toMatchObject([{ turn: 0 }, { turn: 1 }]);
    hear(100, -1_000, true);
    hear(200, -900, false);
    await new Promise(setImmediate);
    expect(voice.said).toHaveLength(2);
  });

  it.each<[string, number | null, number]>([
    ['yields to an interruption', 10, 1],
    ['talks through one', null, 0],
  ])('%s, which is no turn of the patient', async (_, yieldsAfterMs, hushed) => {
    const { voice, events, hear, began } = agentWith({ ...TURN, yieldsAfterMs }, TURN);
    hear(100, -2_000, true);
    hear(200, -1_900, false);
    await eventually(() => expect(voice.said).toHaveLength(1));
    hear(100, -1_500, true);
    hear(100, -1_400, true);
    await eventually(() => expect(voice.hushed).toBe(hushed));
    voice.ends();
    await eventually(() => expect(events).toHaveLength(1));
    const at = events[0]?.type === 'answered' ? (events[0].interruptedAt ?? 0) - began : 0;
    expect(Math.abs(at + 1_500)).toBeLessThan(5);
    // Its rest is part of it; what comes later is a turn.
    hear(100, -1_200, true);
    hear(200, -1_100, false);
    await new Promise(setImmediate);
    expect(voice.said).toHaveLength(1);
    hear(100, -500, true);
    hear(200, -400, false);
    await eventually(() => expect(voice.said).toHaveLength(2));
    voice.ends();
    await eventually(() => expect(events).toMatchObject([{}, { turn: 1, interruptedAt: null }]));
  });
});

describe('What is known of an agent that was started', () => {
  const ANSWERED = { type: 'answered' as const, heardEnd: 1, from: 2, to: 3, isReliable: true, interruptedAt: null };

  it('is where it is called, once it is ready', async () => {
    const agent = new StartedAgent(() => undefined);
    const ready = agent.untilReady(unaborted());
    agent.hear({ type: 'ready', url: 'ws://127.0.0.1:1' });
    await ready;
    expect(agent.url).toBe('ws://127.0.0.1:1');
    const inRoom = new StartedAgent(() => undefined);
    inRoom.hear({ type: 'ready' });
    await inRoom.untilReady(unaborted());
    expect(() => inRoom.url).toThrow('cannot be used: it told no address.');
  });

  it('is what it did in each turn', async () => {
    const agent = new StartedAgent(() => undefined);
    const second = agent.answer(1, 60_000, unaborted());
    agent.hear({ ...ANSWERED, turn: 0 });
    agent.hear({ ...ANSWERED, turn: 1, from: 7 });
    expect(await second).toMatchObject({ turn: 1, from: 7 });
    expect(await agent.answer(0, 0, unaborted())).toMatchObject({ turn: 0, from: 2 });
    await expect(agent.answer(2, 0, unaborted())).rejects.toThrow('cannot be used: it did not answer.');
  });

  it('is why it failed, first of all', async () => {
    const agent = new StartedAgent(() => undefined);
    agent.hear({ type: 'ready' });
    agent.hear({ type: 'failed', reason: 'no port' });
    agent.hear({ type: 'failed', reason: 'later' });
    agent.hear({ ...ANSWERED, turn: 0 });
    const failure = { code: 'connect_failed', message: 'The agent with known delays cannot be used: no port.' };
    await expect(agent.untilReady(unaborted())).rejects.toMatchObject(failure);
    await expect(agent.answer(0, 0, unaborted())).rejects.toMatchObject(failure);
  });
});
