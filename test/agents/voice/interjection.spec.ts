import { setTimeout as sleep } from 'node:timers/promises';
import { Interjection } from '../../../src/agents/voice/interjection';
import { machineMs } from '../../../src/agents/voice/sound-clocks';

const PLAN = { afterMs: 60, speakers: ['agent'] };

/** An agent that is loud, and one that is to be interrupted once. */
function planned({ afterMs = PLAN.afterMs } = {}) {
  const agent: { silentMs: number | null } = { silentMs: 0 };
  const saidAt: number[] = [];
  const silentMs = (speaker: string) => (speaker === 'agent' ? agent.silentMs : null);
  const interjection = new Interjection({ ...PLAN, afterMs }, silentMs, () => saidAt.push(machineMs()));
  return { agent, saidAt, interjection };
}

test('it is said once, so long after the agent began to answer', async () => {
  const { interjection, saidAt } = planned();
  const now = machineMs();
  interjection.turnSaid(now);
  interjection.voice('agent', true, now);
  await sleep(150);
  interjection.voice('agent', false, machineMs());
  interjection.voice('agent', true, machineMs());
  await sleep(100);
  expect(saidAt).toHaveLength(1);
  expect(saidAt[0]).toBeGreaterThanOrEqual(now + 55);
});

test('what the agent says before the patient has ended its turn begins no answer, and one that goes on begins with that end', async () => {
  const { interjection, saidAt } = planned();
  const now = machineMs();
  interjection.voice('agent', true, now - 2_000);
  interjection.voice('agent', false, now - 1_000);
  interjection.turnSaid(now - 500);
  await sleep(120);
  expect(saidAt).toEqual([]);
  const premature = planned();
  premature.interjection.voice('agent', true, now - 2_000);
  const ended = machineMs();
  premature.interjection.turnSaid(ended);
  await sleep(150);
  // Timers are early by a millisecond or two.
  expect(premature.saidAt[0]).toBeGreaterThanOrEqual(ended + 55);
});

test('an agent that is silent by then is waited for, and not spoken to after its turn', async () => {
  const { interjection, agent, saidAt } = planned();
  interjection.turnSaid(machineMs());
  interjection.voice('agent', true, machineMs());
  agent.silentMs = 200;
  await sleep(150);
  expect(saidAt).toEqual([]);
  agent.silentMs = 0;
  await sleep(60);
  expect(saidAt).toHaveLength(1);
  const dropped = planned();
  dropped.interjection.turnSaid(machineMs());
  dropped.interjection.voice('agent', true, machineMs());
  dropped.interjection.drop();
  await sleep(120);
  expect(dropped.saidAt).toEqual([]);
});

test('a turn that seems to be over is not spoken into, and what was heard before it goes on was no answer', async () => {
  const { interjection, agent, saidAt } = planned();
  const voice = (isSpeaking: boolean) => interjection.voice('agent', isSpeaking, machineMs());
  interjection.turnSaid(machineMs());
  voice(true);
  voice(false);
  agent.silentMs = null;
  interjection.hold();
  voice(true);
  voice(false);
  await sleep(150);
  expect(saidAt).toEqual([]);
  interjection.hold();
  interjection.goOn();
  await sleep(150);
  expect(saidAt).toEqual([]);
  agent.silentMs = 0;
  const began = machineMs();
  voice(true);
  await sleep(150);
  expect(saidAt).toHaveLength(1);
  expect(saidAt[0]).toBeGreaterThanOrEqual(began + 55);
});

test('an answer that began while the turn seemed to be over is spoken into', async () => {
  const { interjection, saidAt } = planned();
  interjection.turnSaid(machineMs());
  interjection.voice('agent', true, machineMs());
  interjection.hold();
  const goesOnAt = machineMs();
  interjection.goOn();
  await sleep(150);
  expect(saidAt).toHaveLength(1);
  expect(saidAt[0]).toBeGreaterThanOrEqual(goesOnAt + 55);
});

test('another participant is not interrupted', async () => {
  const { interjection, saidAt } = planned({ afterMs: 1 });
  interjection.turnSaid(machineMs());
  interjection.voice('observer', true, machineMs());
  await sleep(50);
  expect(saidAt).toEqual([]);
});
