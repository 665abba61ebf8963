import { AgentHungUp, ProviderError } from '../../../src/agents/errors';
import { systemClock } from '../../../src/agents/outbound/clock';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { Limiter } from '../../../src/agents/outbound/limiter';
import type { AgentSound, HeldFloor, SpokenSpan, Utterance } from '../../../src/agents/provider';
import { Secrets } from '../../../src/agents/secrets/secrets';
import { PatientCall } from '../../../src/agents/voice/patient-call';
import type { SpokenAccount } from '../../../src/agents/voice/spoken-account';
import { SpokenSession, type SpokenSessionParts } from '../../../src/agents/voice/spoken-session';
import { QuietPlace } from '../../fakes/call-place';

import { unaborted } from '../provider.contract';

const SPEECH = new Int16Array(480);
const GOOD = { bufferMs: 0, concealedMs: 0, insertedMs: 0 };
const HUNG_UP = new ProviderError('provider_error', 'It hung up.');
const NO_VOICE = new ProviderError('provider_timeout', 'It has no voice.');
const KEY = 'sk-canary-0123456789';

/** What the agent's side tells in text. */
class Account implements SpokenAccount {
  turns = 0;
  waits = 0;
  textSoFar = '';
  understoodSoFar: string | null = null;
  hadMoreToSay?: boolean;
  readonly calledTools: readonly string[] = [];

  /** @param whole what it has told in the end; by default no more than so far */
  constructor(private readonly whole: string | null = null) {}

  beginTurn(): void {
    this.turns += 1;
  }

  wholeText(): Promise<string> {
    this.waits += 1;
    return Promise.resolve(this.whole ?? this.textSoFar);
  }
}

interface Options {
  readonly place?: QuietPlace;
  readonly account?: Account;
  readonly hearsWords?: boolean;
  readonly interjection?: Utterance['interjection'];
  readonly greeting?: string;
  readonly parts?: Partial<SpokenSessionParts>;
}

/** A call in which the agent is told of by a test, and its session. */
async function begun({ place = new QuietPlace(), account = new Account(), ...options }: Options = {}) {
  const uttered: (readonly [string, SpokenSpan])[] = [];
  const sounds: AgentSound[] = [];
  const floors: HeldFloor[] = [];
  const call = await PatientCall.begin(
    place,
    {
      hearsWords: options.hearsWords ?? true,
      utter: () => Promise.resolve({ samples: SPEECH, interjection: options.interjection ?? null }),
      onUttered: (part, span) => uttered.push([part, span]),
      onSound: (sound) => sounds.push(sound),
      onFloor: (floor) => floors.push(floor),
    },
    unaborted(),
  );

  let cleanUps = 0;
  const session = new SpokenSession(
    {
      call,
      account,
      failure: () => place.failure,
      hasHungUp: (error) => error === HUNG_UP,
      noVoice: () => NO_VOICE,
      secrets: Secrets.of({ api_key: KEY }),
      config: { turn_timeout_ms: 30_000, requests_per_minute: null },
      longestSpeechMs: 120_000,
      limiter: new Limiter(new InProcessRequestBudget(), systemClock),
      limiterKey: 'key',
      assureOwnership: undefined,
      facts: () => ({ room: `of ${KEY}` }),
      cleanUp: () => Promise.resolve((cleanUps += 1)),
      ...options.parts,
    },
    options.greeting ?? '',
  );
  return { place, account, call, session, uttered, sounds, floors, cleanUps: () => cleanUps };
}

/** A place in which the agent answers each turn from one moment to another, in ms from the place's now. */
function answering(
  from: number,
  to: number | null,
  more: (place: QuietPlace) => void = () => undefined,
  said: { readonly isReliable?: boolean } = {},
): QuietPlace {
  return new QuietPlace((message, place) => {
    if (message.type === 'turnOver') place.hear({ type: 'turnSound', quality: GOOD, echoes: [] });
    if (message.type !== 'say') return;
    place.said(message.utterance, -20_000, -18_000, said);
    more(place);
    place.agentSpeaks(from, to);
  });
}

describe('A reply', () => {
  it('is what the agent’s side says that it said, with the times of the call', async () => {
    const account = new Account(' Call an ambulance. ');
    account.understoodSoFar = 'My chest hurts.';
    const { session, uttered, place } = await begun({ place: answering(-17_500, -14_000), account });
    const reply = await session.send('My chest hurts.', unaborted());
    const [[part, said] = []] = uttered;
    expect(part).toBe('turn');
    expect(reply).toEqual({
      content: ' Call an ambulance. ',
      latencyMs: 500,
      continuation: null,
      metadata: {},
      spoken: {
        said,
        interjection: null,
        heard: [{ from: (said?.to ?? 0) + 500, to: (said?.to ?? 0) + 4_000 }],
        echoes: [],
        latencyMs: 500,
        isReliable: true,
        own: ' Call an ambulance. ',
        isBrokenOff: false,
        understood: 'My chest hurts.',
      },
    });
    expect((said?.to ?? 0) - (said?.from ?? 0)).toBe(2_000);
    expect([account.turns, account.waits]).toEqual([1, 1]);
    expect(place.asked[0]).toMatchObject({ type: 'say', samples: SPEECH });
  });

  it('may be without words where an ear hears them, and not where none does', async () => {
    const { session } = await begun({ place: answering(-17_500, -14_000) });
    expect(await session.send('a', unaborted())).toMatchObject({ content: '', spoken: { own: null } });
    const deaf = await begun({ place: answering(-17_500, -14_000), hearsWords: false });
    await expect(deaf.session.send('a', unaborted())).rejects.toMatchObject({
      code: 'empty_reply',
      message: expect.stringContaining('it does not say in text (lk.transcription) what it said'),
    });
  });

  it.each<[string, number, number | null]>([
    ['that began in the patient’s words and went on', -18_500, null],
    ['that began at their end', -18_000, 0],
  ])('has a latency, or none: one %s', async (_, from, latencyMs) => {
    const { session } = await begun({ place: answering(from, -14_000) });
    expect((await session.send('a', unaborted())).latencyMs).toBe(latencyMs);
  });

  it('has the latency of what was heard after the patient’s words, not of a sound in them', async () => {
    const place = answering(-17_000, null, (here) => here.agentSpeaks(-19_500, -19_000));
    const { session } = await begun({ place, parts: { longestSpeechMs: 17_000 } });
    expect((await session.send('a', unaborted())).latencyMs).toBe(1_000);
  });

  it('says that its times tell nothing, where what the patient said had a hole', async () => {
    const { session } = await begun({ place: answering(-17_500, -14_000, undefined, { isReliable: false }) });
    expect((await session.send('a', unaborted())).spoken?.isReliable).toBe(false);
  });

  it('that is cut off is what was told until then, and says so', async () => {
    const account = new Account('Never read.');
    account.textSoFar = 'I talk and';
    account.hadMoreToSay = true;
    const { session } = await begun({
      place: answering(-17_500, null),
      account,
      parts: { longestSpeechMs: 17_000 },
    });
    const reply = await session.send('a', unaborted());
    expect(reply).toMatchObject({
      content: 'I talk and',
      metadata: { cut_off_after_ms: 17_000 },
      spoken: { isBrokenOff: true, hadMoreToSay: true, own: 'I talk and' },
    });
    expect(account.waits).toBe(0);
  });

  it('tells what the patient said into it, and whether that broke it off', async () => {
    const place = (until: number) =>
      answering(-17_500, until, (here) => here.said(2, -16_000, -15_800, { isReliable: until > -14_000 }));
    const sentInto = async (kind: 'interruption' | 'backchannel', until: number) => {
      const interjection = { kind, afterMs: 1_500, samples: SPEECH };
      const { session, uttered } = await begun({ place: place(until), interjection });
      const { spoken } = await session.send('a', unaborted());
      return { spoken, uttered };
    };
    const talkedOn = await sentInto('backchannel', -9_000);
    expect(talkedOn.spoken).toMatchObject({
      interjection: { kind: 'backchannel', isReliable: true },
      isBrokenOff: false,
    });
    expect(talkedOn.uttered.map(([part]) => part)).toEqual(['turn', 'interjection']);
    expect(talkedOn.uttered[1]?.[1]).toMatchObject({ from: talkedOn.spoken?.interjection?.from });
    const stopped = await sentInto('backchannel', -15_500);
    expect(stopped.spoken).toMatchObject({ interjection: { isReliable: false }, isBrokenOff: true });
    expect((await sentInto('interruption', -9_000)).spoken).toMatchObject({ isBrokenOff: true });
  });

  it('tells where the patient’s own voice came back', async () => {
    const place = new QuietPlace((message, here) => {
      const echo = { from: here.now - 17_800, to: here.now - 16_000, delayMs: 240.4 };
      if (message.type === 'turnOver') here.hear({ type: 'turnSound', quality: null, echoes: [echo] });
      if (message.type !== 'say') return;
      here.said(message.utterance, -20_000, -18_000);
      here.agentSpeaks(-17_800, -16_000);
      here.agentSpeaks(-15_000, -14_000);
    });
    const { session } = await begun({ place });
    const reply = await session.send('a', unaborted());
    expect(reply).toMatchObject({ latencyMs: 3_000, metadata: { echo_ms: 240 }, spoken: { isReliable: false } });
    expect(reply.spoken?.echoes).toHaveLength(1);
    expect(reply.spoken?.heard).toHaveLength(1);
  });
});

describe('An agent that is not heard in time', () => {
  const late = { config: { turn_timeout_ms: 18_000, requests_per_minute: null } };

  it('had no voice at all', async () => {
    const { session } = await begun({ parts: late });
    await expect(session.send('a', unaborted())).rejects.toBe(NO_VOICE);
  });

  it('had a voice, and was late', async () => {
    const place = new QuietPlace();
    const { session } = await begun({ place, parts: late });
    place.hear({ type: 'voiced', sender: 'agent' });
    await expect(session.send('a', unaborted())).rejects.toMatchObject({
      code: 'provider_timeout',
      message: expect.stringContaining('no complete answer before the turn'),
    });
  });

  it('wrote what it did not say', async () => {
    const place = new QuietPlace();
    const account = new Account();
    account.textSoFar = 'Hello.';
    const { session } = await begun({ place, account, parts: late });
    place.hear({ type: 'voiced', sender: 'agent' });
    await expect(session.send('a', unaborted())).rejects.toMatchObject({
      code: 'provider_timeout',
      message: expect.stringContaining('The agent wrote an answer, but nothing of it could be heard'),
    });
  });

  it('only gave back the patient’s own voice', async () => {
    const place = new QuietPlace((message, here) => {
      const echo = { from: here.now - 17_000, to: here.now - 16_000, delayMs: 239.6 };
      if (message.type === 'turnOver') here.hear({ type: 'turnSound', quality: GOOD, echoes: [echo] });
      if (message.type !== 'say') return;
      here.said(message.utterance, -20_000, -18_000);
      here.agentSpeaks(-17_000, -16_000);
    });
    const { session } = await begun({ place, parts: late });
    await expect(session.send('a', unaborted())).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringContaining("was the patient's own voice, 240 ms later, and no answer followed"),
    });
  });
});

describe('An agent that hangs up', () => {
  it('in the middle of its answer has said what was heard until then', async () => {
    const account = new Account();
    account.textSoFar = 'Good';
    const place = answering(-17_500, null, (here) => setTimeout(() => here.fail(HUNG_UP), 5));
    const { session } = await begun({ place, account });
    const reply = await session.send('a', unaborted());
    expect(reply).toMatchObject({
      content: 'Good',
      endsConversation: true,
      latencyMs: 500,
      spoken: { isBrokenOff: true, isReliable: false, own: 'Good' },
    });
  });

  it('after it was heard has answered where an ear hears, and not where none does', async () => {
    const place = () => answering(-17_500, null, (here) => setTimeout(() => here.fail(HUNG_UP), 5));
    const { session } = await begun({ place: place() });
    expect(await session.send('a', unaborted())).toMatchObject({ content: '', endsConversation: true });
    const deaf = await begun({ place: place(), hearsWords: false });
    await expect(deaf.session.send('a', unaborted())).rejects.toMatchObject({ isUnanswered: true });
  });

  it('instead of answering has said nothing', async () => {
    const place = new QuietPlace((message, here) => {
      if (message.type === 'say') here.said(message.utterance, -20_000, -18_000);
      setTimeout(() => here.fail(HUNG_UP), 5);
    });
    const { session } = await begun({ place });
    const sent = session.send('a', unaborted());
    await expect(sent).rejects.toBeInstanceOf(AgentHungUp);
    await expect(sent).rejects.toMatchObject({ isUnanswered: true });
  });

  it('while the patient speaks has said nothing, whatever it wrote', async () => {
    const account = new Account();
    account.textSoFar = 'Bye.';
    const place = new QuietPlace((_message, here) => setTimeout(() => here.fail(HUNG_UP), 5));
    const { session } = await begun({ place, account });
    await expect(session.send('a', unaborted())).rejects.toMatchObject({ isUnanswered: true });
  });

  it('before the message was sent has not left it unanswered', async () => {
    const { session, place } = await begun();
    place.fail(HUNG_UP);
    await expect(session.send('a', unaborted())).rejects.toMatchObject({ isUnanswered: false });
  });

  it('for no reason of its own has failed', async () => {
    const { session, place } = await begun();
    const lost = new ProviderError('connect_failed', 'It was lost.');
    place.fail(lost);
    await expect(session.send('a', unaborted())).rejects.toBe(lost);
  });
});

describe('A session', () => {
  it('asks whether the row is still owned, after its place in line and before it speaks', async () => {
    const asked: number[] = [];
    const refused = new Error('lost');
    const place = new QuietPlace();
    const assureOwnership = async (): Promise<void> => {
      asked.push(place.asked.length);
      throw refused;
    };
    const { session } = await begun({ place, parts: { assureOwnership } });
    await expect(session.send('a', unaborted())).rejects.toBe(refused);
    expect(asked).toEqual([0]);
    expect(place.asked).toEqual([]);
  });

  it('falls silent at once when the message is given up, and is hushed only then', async () => {
    const { session, place } = await begun({ place: new QuietPlace(() => undefined) });
    const ending = new AbortController();
    const sent = session.send('a', ending.signal);
    await new Promise(setImmediate);
    expect(place.hushed).toBe(0);
    ending.abort();
    await expect(sent).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    expect(place.hushed).toBe(1);
    const answered = await begun({ place: answering(-17_500, -14_000) });
    const later = new AbortController();
    await answered.session.send('a', later.signal);
    later.abort();
    expect(answered.place.hushed).toBe(0);
  });

  it('is left once, and takes no message after that', async () => {
    const { session, cleanUps } = await begun();
    await Promise.all([session.close(), session.close()]);
    expect(cleanUps()).toBe(1);
    await expect(session.send('a', unaborted())).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
  });

  it('tells where it was, by voice, and how it was greeted, without secrets', async () => {
    const { session } = await begun({ greeting: `Hello from ${KEY}.` });
    expect(session.greeting).toBe(`Hello from ${KEY}.`);
    expect(session.metadata()).toEqual({ room: 'of [removed]', protocol: 'voice', greeting: 'Hello from [removed].' });
    const quiet = await begun({ greeting: ' \n' });
    expect(quiet.session.greeting).toBeNull();
    expect(quiet.session.metadata()).toEqual({ room: 'of [removed]', protocol: 'voice' });
  });
});

describe('The call of a patient', () => {
  it('has a clock of its own, which begins with it', async () => {
    const { place, sounds, floors, call } = await begun();
    place.hear({ type: 'sound', sender: 'agent', firstSample: 3, at: place.now + 1_000, samples: SPEECH });
    expect(sounds).toEqual([{ firstSample: 3, from: expect.any(Number), samples: SPEECH }]);
    // It begins a little after the place was made.
    expect(sounds[0]?.from).toBeLessThanOrEqual(1_000);
    expect(call.span({ from: place.now + 1_000, to: place.now + 1_500 })).toEqual({
      from: sounds[0]?.from,
      to: (sounds[0]?.from ?? 0) + 500,
    });
    expect(floors).toEqual([{ holder: 'patient', isSpeaking: false, forMs: 0 }]);
  });

  it('waits for a greeting that begins in time, and for all of its text', async () => {
    const account = new Account('Good morning.');
    const { call, place } = await begun({ account });
    place.agentSpeaks(-5_000, -3_000);
    expect(await call.greeting(account, 0, unaborted())).toBe('Good morning.');
  });

  it('goes on without one where none begins', async () => {
    const account = new Account('Never.');
    account.textSoFar = 'Written.';
    const { call } = await begun({ account });
    expect(await call.greeting(account, 0, unaborted())).toBe('Written.');
    expect(account.waits).toBe(0);
  });

  it('ends where the place fails, or nobody waits any more', async () => {
    const { call, place, account } = await begun();
    const ending = new AbortController();
    const greeting = call.greeting(account, 60_000, ending.signal);
    ending.abort();
    await expect(greeting).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    const lost = new ProviderError('connect_failed', 'It was lost.');
    place.fail(lost);
    await expect(call.greeting(account, 60_000, unaborted())).rejects.toBe(lost);
  });
});
