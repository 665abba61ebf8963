import { silence } from '../../../src/engine/audio';
import { joined, type Sound } from '../../../src/domain/sound/pcm';
import { Ear } from '../../../src/engine/speech/ear';
import { heardReply } from '../../../src/engine/speech/heard-turn';
import { sentenceTimes } from '../../../src/engine/speech/sentence-times';
import { Transcriber } from '../../../src/engine/speech/transcriber';
import { constructedSpeech } from '../audio/constructed-speech';

const never = new AbortController().signal;
const RATE = 16_000;

class FixedTranscriber extends Transcriber {
  readonly identity = { engine: 'test', model: 'm' };
  private asked = 0;

  constructor(private readonly answers: readonly string[]) {
    super();
  }

  transcribe(): Promise<string> {
    this.asked += 1;
    return Promise.resolve(this.answers[this.asked - 1] ?? '');
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const speech = constructedSpeech(3, RATE, 5).sound;
const turnOf = (sound: Sound, own: string | null, isBrokenOff = false) => {
  const context = silence(2_000, RATE);
  const { samples } = joined([context, sound], RATE);
  return { samples, turnFrom: context.samples.length, own, isBrokenOff, language: 'en' };
};

describe('without an ear', () => {
  it('the agent’s own account counts where there is a voice for it', async () => {
    const reply = await heardReply(turnOf(speech, 'Please call an ambulance now.'), null, never);
    expect(reply).toMatchObject({
      content: 'Please call an ambulance now.',
      heard: null,
      isInaudible: false,
      isUnfinished: false,
    });
    const [first, last] = [reply.voiced[0], reply.voiced.at(-1)];
    expect(reply.sentences).toEqual([{ id: 's1', from: first?.from, to: last?.to, certain: true }]);
  });

  it.each([
    ['silence', silence(3_000, RATE), 'Please call an ambulance now.'],
    [
      'far too little sound',
      { samples: speech.samples.slice(0, RATE), rate: RATE },
      'Please call an ambulance. '.repeat(20),
    ],
    ['no account', speech, null],
    ['an account without a word', speech, '…'],
  ])('%s leaves nothing to mark', async (_, sound, own) => {
    const reply = await heardReply(turnOf(sound, own), null, never);
    expect(reply).toMatchObject({ content: '', isInaudible: true, sentences: [] });
  });

  it('an account that breaks off is unfinished', async () => {
    const reply = await heardReply(turnOf(speech, 'Please call an'), null, never);
    expect(reply.isUnfinished).toBe(true);
  });
});

describe('without an ear, an answer that was broken off', () => {
  const planned = 'Call an ambulance now. Then take two tablets of aspirin and lie down.';

  it('counts as far as whole sentences of the account fit into the voice', async () => {
    const whole = await heardReply(turnOf(speech, planned), null, never);
    expect(whole).toMatchObject({ content: planned });
    const { content, isInaudible, sentences } = await heardReply(turnOf(speech, planned, true), null, never);
    expect(isInaudible).toBe(false);
    expect(content).toBe('Call an ambulance now.');
    expect(sentences.at(-1)?.to).toBeGreaterThan(0);
  });

  it('counts whole where all of the account fits', async () => {
    const reply = await heardReply(turnOf(speech, 'Call an ambulance.', true), null, never);
    expect(reply).toMatchObject({ content: 'Call an ambulance.' });
  });

  it('counts for nothing where not even the first sentence fits', async () => {
    const sentence = `Please ${'very '.repeat(20)}quickly call an ambulance.`;
    const reply = await heardReply(turnOf(speech, sentence, true), null, never);
    expect(reply).toMatchObject({ content: '', isInaudible: true });
  });
});

describe('with an ear', () => {
  it('what was heard counts, whatever the agent says that it said', async () => {
    const ear = new Ear(new FixedTranscriber(['Take fifty milligrams.', 'Call us.', 'Goodbye.']));
    const reply = await heardReply(turnOf(speech, 'Take fifteen milligrams.'), ear, never);
    expect(reply.content).toContain('Take fifty milligrams.');
    expect(reply.content).not.toContain('fifteen');
    expect(reply.heard).toBe(reply.content);
  });

  it('words that it invented for silence do not', async () => {
    const ear = new Ear(new FixedTranscriber(['Thank you for watching.']));
    const reply = await heardReply(turnOf(silence(3_000, RATE), 'Call an ambulance.'), ear, never);
    expect(reply).toMatchObject({ content: '', heard: '', isInaudible: true });
  });

  it('an ear that understands no word of a clear voice is deaf: that says nothing of the agent', async () => {
    for (const answers of [[], ['ta ta ta ta ta ta', 'ta ta ta ta ta ta', 'ta ta ta ta ta ta']]) {
      const ear = new Ear(new FixedTranscriber(answers));
      await expect(heardReply(turnOf(speech, 'Call an ambulance.'), ear, never)).rejects.toMatchObject({
        kind: 'answer_unusable',
        message: expect.stringMatching(/^The examiner's ear understood no word of \d+\.\d s of the agent's voice: /),
      });
    }
  });

  it('what it doubts is left out, and the turn says so', async () => {
    const ear = new Ear(new FixedTranscriber(['ta ta ta ta ta ta', 'Call us.', 'Goodbye.']));
    const reply = await heardReply(turnOf(speech, null), ear, never);
    expect(reply.isDoubtful).toBe(true);
    expect(reply.content).not.toContain('ta ta');
  });
});

describe('the times of sentences', () => {
  const voiced = [
    { from: 0, to: 1_000 },
    { from: 1_500, to: 2_500 },
  ];

  it('meet the pause that is near their share of the characters', () => {
    const text = 'Please do call one. Do take an aspirin.';
    expect(sentenceTimes(text, [{ start: 0, end: text.length, voiced }])).toEqual([
      { id: 's1', from: 0, to: 1_000, certain: false },
      { id: 's2', from: 1_500, to: 2_500, certain: false },
    ]);
  });

  it('are certain where an ear heard them apart', () => {
    const text = 'Yes. Do take an aspirin now.';
    const times = sentenceTimes(text, [
      { start: 0, end: 4, voiced: voiced.slice(0, 1) },
      { start: 5, end: text.length, voiced: voiced.slice(1) },
    ]);
    expect(times).toEqual([
      { id: 's1', from: 0, to: 1_000, certain: true },
      { id: 's2', from: 1_500, to: 2_500, certain: true },
    ]);
  });

  it('are in order, inside the voice, and there are none without one', () => {
    const text = 'One. Two is longer than one. Three! And a fourth sentence, which is the longest of all of them?';
    const times = sentenceTimes(text, [{ start: 0, end: text.length, voiced }]);
    expect(times.map(({ id }) => id)).toEqual(['s1', 's2', 's3', 's4']);
    for (const [at, { from, to }] of times.entries()) {
      expect(to).toBeGreaterThanOrEqual(from);
      expect(from).toBeGreaterThanOrEqual(times[at - 1]?.from ?? 0);
    }
    expect(sentenceTimes(text, [{ start: 0, end: text.length, voiced: [] }])).toEqual([]);
  });
});
