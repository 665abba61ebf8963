import { CallFloor } from '../../../src/agents/voice/call-floor';

const isAgent = (identity: string): boolean => identity.startsWith('agent');

function floorWith(...voices: readonly (readonly [sender: string, isSpeaking: boolean, at: number])[]): CallFloor {
  const floor = new CallFloor();
  for (const [sender, isSpeaking, at] of voices) floor.hear({ type: 'voice', sender, isSpeaking, at });
  return floor;
}

test('who spoke when is told from a moment on, in the order in which they began', () => {
  const floor = floorWith(
    ['agent-2', true, 300],
    ['agent', true, 100],
    ['agent', false, 200],
    ['visitor', true, 150],
    ['visitor', false, 250],
    ['agent', true, 400],
    ['agent-2', false, 500],
  );
  expect(floor.spokenSince(0, isAgent)).toEqual([
    { from: 100, to: 200 },
    { from: 300, to: 500 },
  ]);
  expect(floor.spokenSince(200, isAgent)).toEqual([{ from: 300, to: 500 }]);
  expect(floor.heardSince(200, 600, isAgent)).toEqual([
    { from: 300, to: 500 },
    { from: 400, to: 600 },
  ]);
  expect(floor.isSpeaking(isAgent)).toBe(true);
  expect(floor.isSpeaking((identity) => identity === 'agent-2')).toBe(false);
});

test('what is being said stands where it began among what was said', () => {
  const floor = floorWith(['agent', true, 100], ['agent-2', true, 300], ['agent-2', false, 400]);
  expect(floor.heardSince(0, 600, isAgent)).toEqual([
    { from: 100, to: 600 },
    { from: 300, to: 400 },
  ]);
});

test('the end of a voice that had not begun is nothing', () => {
  const floor = floorWith(['agent', false, 100], ['agent', true, 200], ['agent', false, 300], ['agent', false, 400]);
  expect(floor.spokenSince(0, isAgent)).toEqual([{ from: 200, to: 300 }]);
});

test('a voice is there once it is known of, whether it says something or not', () => {
  const floor = new CallFloor();
  expect(floor.hasVoice(isAgent)).toBe(false);
  floor.hear({ type: 'voiced', sender: 'visitor' });
  expect(floor.hasVoice(isAgent)).toBe(false);
  floor.hear({ type: 'voiced', sender: 'agent' });
  expect([floor.hasVoice(isAgent), floor.isSpeaking(isAgent)]).toEqual([true, false]);
});

test('an utterance is being said from when that is told until its end is', () => {
  const floor = new CallFloor();
  const told = () => [floor.isBeingSaid(2), floor.saidAs(2)];
  expect(told()).toEqual([false, null]);
  floor.hear({ type: 'interjecting', utterance: 2 });
  expect(told()).toEqual([true, null]);
  const said = { utterance: 2, from: 1, to: 2, isReliable: true, isWhole: true };
  floor.hear({ type: 'said', ...said });
  expect(told()).toEqual([false, expect.objectContaining(said)]);
  expect(floor.isBeingSaid(1)).toBe(false);
});

test('sound goes to the one who asked for it, and what became of it on the way is that of the last turn', () => {
  const floor = new CallFloor();
  const sound = { type: 'sound' as const, sender: 'agent', firstSample: 0, at: 1, samples: new Int16Array(1) };
  const heard: string[] = [];
  floor.hear(sound);
  floor.onSound((sender) => heard.push(sender));
  floor.hear(sound);
  expect(heard).toEqual(['agent']);
  expect(floor.turnSound).toEqual({ quality: null, echoes: [] });
  const echoes = [{ from: 1, to: 2, delayMs: 3 }];
  floor.hear({ type: 'turnSound', quality: null, echoes });
  expect(floor.turnSound.echoes).toEqual(echoes);
});
