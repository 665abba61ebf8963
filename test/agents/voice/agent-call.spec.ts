import { ProviderError } from '../../../src/agents/errors';
import type { HeldFloor, Utterance } from '../../../src/agents/provider';
import type { AgentCall, AnswerLimits } from '../../../src/agents/voice/agent-call';
import type { HeardSound } from '../../../src/agents/voice/call-floor';
import { QuietPlace } from '../../fakes/call-place';
import { unaborted } from '../provider.contract';

const LATE = new ProviderError('provider_timeout', 'It was late.');
const late = (): ProviderError => LATE;
const WORDS: Utterance = { samples: new Int16Array(480), interjection: null };
const GOOD = { bufferMs: 0, concealedMs: 0, insertedMs: 0 };

async function begun(place = new QuietPlace()) {
  const sounds: HeardSound[] = [];
  const call = await place.call((sound) => sounds.push(sound));
  return { place, call, sounds };
}

function answerTo(call: AgentCall, limits: Partial<AnswerLimits> = {}) {
  return call.answer({ beginsMs: 30_000, endsMs: 120_000, late, ...limits }, unaborted());
}

const typesOf = (place: QuietPlace) => place.asked.map(({ type }) => type);

describe('What the patient says', () => {
  it('is asked for, and has been said once that is told', async () => {
    const { place, call } = await begun();
    const said = await call.say({ ...WORDS, keys: [{ key: '5', afterMs: 40 }] }, unaborted());
    expect(said).toMatchObject({ from: place.now - 20_000, to: place.now - 18_000, isWhole: true });
    await call.say(WORDS, unaborted());
    expect(place.asked).toEqual([
      { type: 'say', utterance: 1, samples: WORDS.samples, keys: [{ key: '5', afterMs: 40 }], interjection: null },
      { type: 'say', utterance: 2, samples: WORDS.samples, keys: [], interjection: null },
    ]);
  });

  it('is not taken for said when something else was', async () => {
    const { place, call } = await begun(new QuietPlace(() => undefined));
    let isSaid = false;
    const saying = call.say(WORDS, unaborted()).then(() => (isSaid = true));
    place.said(7, -10, -5);
    await new Promise(setImmediate);
    expect(isSaid).toBe(false);
    place.said(1, -10, -5);
    await saying;
  });

  it('into the answer comes with it, for all in whose voice the agent may speak', async () => {
    const { place, call } = await begun();
    const samples = new Int16Array(48);
    await call.say({ ...WORDS, interjection: { kind: 'backchannel', afterMs: 700, samples } }, unaborted());
    expect(place.asked).toMatchObject([
      { utterance: 1, interjection: { utterance: 2, afterMs: 700, samples, speakers: ['agent', 'agent-avatar'] } },
    ]);
  });

  it('ends with the call, and with the wish to go on', async () => {
    const { place, call } = await begun(new QuietPlace(() => undefined));
    const error = new ProviderError('connect_failed', 'Gone.');
    const saying = call.say(WORDS, unaborted());
    place.fail(error);
    await expect(saying).rejects.toBe(error);
    const other = await begun(new QuietPlace(() => undefined));
    const ending = new AbortController();
    const given = other.call.say(WORDS, ending.signal);
    ending.abort();
    await expect(given).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
  });

  it('is broken off on demand', async () => {
    const { place, call } = await begun();
    call.hush();
    expect(place.hushed).toBe(1);
  });
});

describe('An answer', () => {
  it('is over when the agent has been silent for as long as people wait', async () => {
    const { place, call } = await begun();
    place.agentSpeaks(-25_000, -22_000);
    await call.say(WORDS, unaborted());
    place.agentSpeaks(-17_000, -14_000);
    place.agentSpeaks(-13_500, -10_000, 'agent-avatar');
    place.agentSpeaks(-9_000, -8_000, 'visitor');
    place.hear({ type: 'turnSound', quality: GOOD, echoes: [] });
    expect(await answerTo(call)).toEqual({
      heard: [
        { from: place.now - 17_000, to: place.now - 14_000 },
        { from: place.now - 13_500, to: place.now - 10_000 },
      ],
      interjection: null,
      echoes: [],
      isCutOff: false,
      isTimeable: true,
    });
    expect(typesOf(place)).toEqual(['say', 'turnOver']);
    expect(call.echoMs).toBeNull();
  });

  it('is waited for while the agent speaks, thinks or has not begun', async () => {
    const { place, call } = await begun();
    await call.say(WORDS, unaborted());
    let isOver = false;
    const answer = answerTo(call, { beginsMs: 600_000 }).then((heard) => {
      isOver = true;
      return heard;
    });
    const settle = () => new Promise((resolve) => setTimeout(resolve, 60));
    await settle();
    expect(isOver).toBe(false);
    place.presence.isListening = false;
    place.agentSpeaks(-6_000);
    await settle();
    expect(isOver).toBe(false);
    expect(call.heardSoFar).toMatchObject([{ from: place.now - 6_000 }]);
    place.hear({ type: 'voice', sender: 'agent', isSpeaking: false, at: place.now - 4_000 });
    await settle();
    expect(isOver).toBe(false);
    place.presence.isListening = true;
    expect((await answer).heard).toEqual([{ from: place.now - 6_000, to: place.now - 4_000 }]);
  });

  it('is not over as soon as the agent falls silent', async () => {
    const { place, call } = await begun();
    await call.say(WORDS, unaborted());
    // As long after that moment as people wait, which is in an hour.
    place.agentSpeaks(-6_000, 3_600_000);
    const ending = new AbortController();
    let isOver = false;
    const answer = call
      .answer({ beginsMs: 30_000, endsMs: 7_200_000, late }, ending.signal)
      .finally(() => (isOver = true));
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    expect(isOver).toBe(false);
    ending.abort();
    await expect(answer).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    expect(typesOf(place)).toEqual(['say']);
  });

  it('that has not begun in its time is none', async () => {
    const { call, place } = await begun();
    await call.say(WORDS, unaborted());
    await expect(answerTo(call, { beginsMs: 18_000 })).rejects.toBe(LATE);
    expect(typesOf(place)).toEqual(['say']);
  });

  it('that was a cough at the end of the patient’s words is none either', async () => {
    const { call, place } = await begun();
    await call.say(WORDS, unaborted());
    place.agentSpeaks(-18_100, -17_950);
    await expect(answerTo(call, { beginsMs: 18_000 })).rejects.toBe(LATE);
  });

  it('that does not end is cut off, and the patient takes the floor', async () => {
    const { call, place } = await begun();
    await call.say(WORDS, unaborted());
    place.agentSpeaks(-17_000);
    const answer = await answerTo(call, { endsMs: 17_000 });
    expect(answer).toMatchObject({ isCutOff: true, isTimeable: false });
    expect(answer.heard).toMatchObject([{ from: place.now - 17_000 }]);
  });

  it('that began in the patient’s words is cut off by its time since their end', async () => {
    const { call, place } = await begun();
    await call.say(WORDS, unaborted());
    place.agentSpeaks(-19_000);
    expect(await answerTo(call, { endsMs: 18_000 })).toMatchObject({ isCutOff: true });
  });

  it('ends with the call', async () => {
    const { call, place } = await begun();
    await call.say(WORDS, unaborted());
    const error = new ProviderError('connect_failed', 'Gone.');
    const answer = answerTo(call);
    place.fail(error);
    await expect(answer).rejects.toBe(error);
  });
});

describe('The patient’s own voice that comes back', () => {
  const echoAt = (place: QuietPlace) => ({ from: place.now - 17_000, to: place.now - 15_000, delayMs: 240 });

  it('is no answer, which is waited for', async () => {
    const place = new QuietPlace((message, here) => {
      if (message.type === 'say') here.said(message.utterance, -20_000, -18_000);
      if (message.type === 'turnOver') here.hear({ type: 'turnSound', quality: GOOD, echoes: [echoAt(here)] });
      if (message.type === 'turnGoesOn') here.agentSpeaks(-10_000, -8_000);
    });
    const { call } = await begun(place);
    await call.say(WORDS, unaborted());
    expect(call.echoes).toEqual([]);
    place.agentSpeaks(-17_000, -15_000);
    const answer = await answerTo(call);
    expect(answer.heard).toEqual([{ from: place.now - 10_000, to: place.now - 8_000 }]);
    expect(answer.echoes).toEqual([echoAt(place)]);
    expect(typesOf(place)).toEqual(['say', 'turnOver', 'turnGoesOn', 'turnOver']);
    expect(call.echoMs).toBe(240);
    expect(call.heardSoFar).toEqual(answer.heard);
    await call.say(WORDS, unaborted());
    expect(call.echoMs).toBeNull();
  });

  it('is left out of an answer that was cut off', async () => {
    const place = new QuietPlace((message, here) => {
      if (message.type === 'say') here.said(message.utterance, -20_000, -18_000);
      if (message.type === 'turnOver') here.hear({ type: 'turnSound', quality: null, echoes: [echoAt(here)] });
    });
    const { call } = await begun(place);
    await call.say(WORDS, unaborted());
    place.agentSpeaks(-17_000, -15_000);
    place.agentSpeaks(-14_000);
    const answer = await answerTo(call, { endsMs: 15_000 });
    expect(answer).toMatchObject({ isCutOff: true, heard: [{ from: place.now - 14_000 }] });
    expect(typesOf(place)).toEqual(['say', 'turnOver']);
  });
});

describe('What is said into the answer', () => {
  const INTERRUPTS: Utterance = {
    ...WORDS,
    interjection: { kind: 'interruption', afterMs: 500, samples: new Int16Array(48) },
  };

  it('belongs to the turn, also if it began just before the turn was over', async () => {
    const place = new QuietPlace((message, here) => {
      if (message.type === 'say') here.said(message.utterance, -20_000, -18_000);
      if (message.type === 'turnOver' && typesOf(here).length === 2) {
        here.hear({ type: 'interjecting', utterance: 2 });
        setTimeout(() => here.said(2, -14_000, -13_000), 5);
      }
    });
    const { call } = await begun(place);
    await call.say(INTERRUPTS, unaborted());
    place.agentSpeaks(-17_000, -13_500);
    place.agentSpeaks(-12_000, -9_000);
    expect(call.interjectionSoFar).toBeNull();
    const answer = await answerTo(call);
    expect(answer.interjection).toMatchObject({ from: place.now - 14_000, to: place.now - 13_000 });
    expect(typesOf(place)).toEqual(['say', 'turnOver', 'turnGoesOn', 'turnOver']);
    expect(call.interjectionSoFar).toEqual(answer.interjection);
  });
});

describe('Who has the floor', () => {
  it('is told now and whenever it changes', async () => {
    const { call, place } = await begun();
    const floors: HeldFloor[] = [];
    call.onFloor((floor) => floors.push(floor));
    const told = () => floors.splice(0).map(({ holder, isSpeaking }) => [holder, isSpeaking]);
    expect(floors).toEqual([{ holder: 'patient', isSpeaking: false, forMs: 0 }]);
    told();
    place.agentSpeaks(-30_000);
    place.agentSpeaks(-29_000);
    expect(floors[0]?.forMs).toBeGreaterThanOrEqual(30_000);
    expect(told()).toEqual([['agent', true]]);
    place.hear({ type: 'voice', sender: 'agent', isSpeaking: false, at: place.now - 25_000 });
    expect(told()).toEqual([['patient', false]]);
    place.agentSpeaks(-24_000, -23_000, 'visitor');
    expect(told()).toEqual([]);
    await call.say(WORDS, unaborted());
    expect(floors.at(-1)?.forMs).toBeGreaterThanOrEqual(18_000);
    expect(told()).toEqual([
      ['patient', true],
      ['agent', false],
    ]);
    place.agentSpeaks(-17_000, -15_000);
    expect(told()).toEqual([
      ['agent', true],
      ['agent', false],
    ]);
    await answerTo(call);
    expect(told()).toEqual([['patient', false]]);
  });

  it('is the patient’s while it speaks, whoever speaks into that', async () => {
    const { call, place } = await begun(new QuietPlace(() => undefined));
    const floors: HeldFloor[] = [];
    call.onFloor((floor) => floors.push(floor));
    const saying = call.say(WORDS, unaborted());
    place.agentSpeaks(-100);
    expect(floors.at(-1)).toMatchObject({ holder: 'patient', isSpeaking: true });
    place.said(1, -2_000, -50);
    await saying;
    expect(floors.at(-1)).toMatchObject({ holder: 'agent', isSpeaking: true });
  });
});

describe('The agent’s sound', () => {
  const soundOf = (firstSample: number) => ({ firstSample, at: firstSample, samples: new Int16Array(1) });
  const event = (sender: string, firstSample: number) => ({ type: 'sound' as const, sender, ...soundOf(firstSample) });

  it('is that of the voice that was heard first, and no other’s', async () => {
    const { place, sounds } = await begun();
    place.hear(event('visitor', 1), event('agent', 2), event('agent-avatar', 3), event('agent', 4));
    expect(sounds.map(({ firstSample }) => firstSample)).toEqual([2, 4]);
  });

  it('is kept for a minute until it is known who the agent is', async () => {
    const { place, sounds } = await begun();
    place.presence.agent = null;
    place.hear(...Array.from({ length: 70 }, (_, at) => event('agent', at)), event('visitor', 70));
    expect(sounds).toEqual([]);
    place.presence.agent = {};
    place.hear(event('agent', 71));
    expect(sounds.map(({ firstSample }) => firstSample)).toEqual([
      ...Array.from({ length: 59 }, (_, at) => at + 11),
      71,
    ]);
  });

  it('is known to come before anything is said', async () => {
    const { place, call } = await begun();
    place.hear({ type: 'voiced', sender: 'visitor' });
    expect(call.agentHasVoice).toBe(false);
    place.hear({ type: 'voiced', sender: 'agent' });
    expect(call.agentHasVoice).toBe(true);
  });
});

describe('An agent that is listened to', () => {
  const limit = (milliseconds: number) => ({ deadline: performance.now() + milliseconds, late });

  it('has begun when it is heard after a moment', async () => {
    const { place, call } = await begun();
    place.agentSpeaks(-9_000, -8_000);
    await expect(call.beginning(place.now - 8_000, limit(0), unaborted())).rejects.toBe(LATE);
    await expect(call.beginning(place.now - 8_500, limit(0), unaborted())).resolves.toBe(true);
    place.agentSpeaks(-10);
    await expect(call.beginning(place.now - 5, limit(0), unaborted())).resolves.toBe(true);
  });

  it('is silent once it has been for so long', async () => {
    const { place, call } = await begun();
    await expect(call.silence(0, 500, limit(0), unaborted())).rejects.toBe(LATE);
    place.agentSpeaks(-9_000, -8_000);
    const span = { from: place.now - 9_000, to: place.now - 8_000 };
    expect(await call.silence(0, 8_000, limit(0), unaborted())).toEqual([span]);
    await expect(call.silence(0, 80_000, limit(0), unaborted())).rejects.toBe(LATE);
    place.presence.isListening = false;
    await expect(call.silence(0, 500, limit(0), unaborted())).rejects.toBe(LATE);
    place.presence.isListening = true;
    place.agentSpeaks(-1_000);
    await expect(call.silence(0, 500, limit(0), unaborted())).rejects.toBe(LATE);
  });

  it('may be gone', async () => {
    const { place, call } = await begun();
    const gone = new ProviderError('connect_failed', 'Gone.');
    place.fail(gone);
    await expect(call.silence(0, 500, limit(1_000), unaborted())).rejects.toBe(gone);
    await expect(call.beginning(0, limit(1_000), unaborted())).rejects.toBe(gone);
  });
});
