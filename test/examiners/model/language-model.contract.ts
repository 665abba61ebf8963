import { z } from 'zod';
import { AnswerFormat, type LanguageModel, type Prompt } from '../../../src/examiners/model/language-model';
import { ModelError } from '../../../src/examiners/model/model-error';
import type { ModelUsage } from '../../../src/examiners/model/model-usage';
import type { FakeAnswer, FakeModelOptions } from '../../fakes/model-server';
import { eventually } from '../../setup/eventually';

/** What a suite sees of a vendor's stub and of the client under test. */
export interface ModelBench {
  readonly model: LanguageModel;
  readonly server: ModelServer;
  readonly usages: readonly ModelUsage[];
}

interface ModelServer {
  readonly requests: readonly AskedModel[];
  readonly inFlight: number;
  readonly abandoned: number;
}

export interface AskedModel {
  readonly authorization: string;
  readonly model: string;
  readonly system: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly maxTokens: number;
}

export type BenchOptions = Omit<FakeModelOptions<unknown>, 'answer' | 'port'> & {
  readonly always?: FakeAnswer;
  readonly model?: string;
};

export interface Vendor {
  readonly name: string;
  readonly keyVariable: string;
  readonly addressVariable: string;
  /** Requests that one answer in shape takes from a server that nothing is known of. */
  readonly requestsAnAnswer: number;
  open(options: BenchOptions): Promise<ModelBench>;
  /** A client for an address where nothing listens. */
  nowhere(): LanguageModel;
}

export const SECRET = 'sk-examiner-secret';
export const LIMITS = { attemptMs: 5_000, overallMs: 10_000 };
/** For calls that are to be at work together, however long a busy machine takes to begin them. */
const UNHURRIED = { attemptMs: 60_000, overallMs: 60_000 };
/** Retries at once, as the API may ask for. */
const AT_ONCE = { 'retry-after-ms': '1' };

export const FORMAT = new AnswerFormat(
  z.object({ answers: z.array(z.object({ question: z.number(), said: z.string() })) }),
);
export const GOOD = { answers: [{ question: 1, said: 'yes' }] };
export const PROMPT: Prompt = {
  system: 'You answer questions.',
  messages: [{ role: 'user', content: 'Is it so?' }],
  maxTokens: 500,
  effort: 'low',
};

/** What tester and judge may rely on, whoever's model it is. */
export function describeLanguageModel(vendor: Vendor): void {
  const { signal } = new AbortController();
  const opened: ModelBench[] = [];
  const bench = async (options: BenchOptions = {}): Promise<ModelBench> => {
    const made = await vendor.open(options);
    opened.push(made);
    return made;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ model }) => model.close()));
  });

  describe(`Language model contract: ${vendor.name}`, () => {
    it('writes text, with the instructions, the conversation and the key', async () => {
      const { model, server, usages } = await bench({ script: [{ kind: 'text', text: 'It hurts.' }] });
      const messages = [
        { role: 'user', content: 'Begin.' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'Where does it hurt?' },
      ] as const;
      const { text, usage } = await model.write({ ...PROMPT, messages }, LIMITS, signal);
      expect(text).toBe('It hurts.');
      expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
      expect(usages).toEqual([usage]);
      const [request] = server.requests;
      expect(request).toMatchObject({ model: model.name, system: PROMPT.system, messages, maxTokens: 500 });
      expect(request?.authorization).toContain(SECRET);
    });

    it('answers in the shape that was asked for, and says which model it was', async () => {
      const { model, server } = await bench({ always: { kind: 'json', value: GOOD } });
      const { value, answeredBy, usage } = await model.answer(PROMPT, FORMAT, LIMITS, signal);
      expect(value).toEqual(GOOD);
      expect(answeredBy).toBe('fake');
      expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
      expect(server.requests).toHaveLength(vendor.requestsAnAnswer);
    });

    it('asks a known server only once for each answer', async () => {
      const { model, server } = await bench({ always: { kind: 'json', value: GOOD } });
      await model.answer(PROMPT, FORMAT, LIMITS, signal);
      const before = server.requests.length;
      await model.answer(PROMPT, FORMAT, LIMITS, signal);
      expect(server.requests).toHaveLength(before + 1);
    });

    it.each([
      ['of another shape', { kind: 'json', value: { answers: [{ question: 'one' }] } }, 'answers.0.question'],
      ['that is no JSON', { kind: 'text', text: 'I would say yes.' }, 'not JSON'],
      [
        'that only quotes JSON',
        { kind: 'text', text: `The agent said ${JSON.stringify(GOOD)}, which I do not follow.` },
        'not JSON',
      ],
      ['of too many values', { kind: 'json', value: { answers: Array.from({ length: 30_000 }, () => 1) } }, null],
      ['that is deeply nested', { kind: 'text', text: '['.repeat(100_000) + ']'.repeat(100_000) }, null],
    ] as const)('has an answer %s given once more, saying what is wrong', async (_, spoilt: FakeAnswer, fault) => {
      const { model, server, usages } = await bench({ script: [spoilt], always: { kind: 'json', value: GOOD } });
      const { value, usage } = await model.answer(PROMPT, FORMAT, LIMITS, signal);
      expect(value).toEqual(GOOD);
      expect(usages).toHaveLength(2);
      expect(usage.inputTokens).toBe(200);
      const repair = server.requests.at(-1)?.messages ?? [];
      if (fault === null) return;
      expect(repair.at(-2)?.role).toBe('assistant');
      expect(repair.at(-1)?.content).toContain(fault);
    });

    it('gives more room to an answer that was cut off', async () => {
      const { model, server } = await bench({
        script: [{ kind: 'truncated', text: '{"answers": [{"que' }],
        always: { kind: 'json', value: GOOD },
      });
      expect((await model.answer(PROMPT, FORMAT, LIMITS, signal)).value).toEqual(GOOD);
      expect(server.requests.at(-1)).toMatchObject({ maxTokens: 1_000 });
    });

    it.each([
      ['of another shape twice', { kind: 'json', value: 'no' }, 'unusable twice'],
      ['that is cut off twice', { kind: 'truncated', text: '{' }, 'cut off'],
      ['that is empty twice', { kind: 'text', text: '' }, 'not JSON'],
      ['that is a refusal', { kind: 'refusal' }, 'refused to answer'],
    ] as const)('is an error after an answer %s', async (_, always: FakeAnswer, sentence) => {
      const { model } = await bench({ always });
      await expect(model.answer(PROMPT, FORMAT, LIMITS, signal)).rejects.toThrow(sentence);
    });

    it.each([
      ['overload', 529],
      ['a rate limit', 429],
      ['an internal error', 500],
      ['a bad gateway', 502],
    ])('tries again after %s', async (_, status) => {
      const { model, server } = await bench({ script: [{ kind: 'status', status, headers: AT_ONCE }] });
      await model.write(PROMPT, LIMITS, signal);
      expect(server.requests).toHaveLength(2);
    });

    it('tries again after a lost connection', async () => {
      const { model, server } = await bench({ script: [{ kind: 'reset' }] });
      await model.write(PROMPT, LIMITS, signal);
      expect(server.requests).toHaveLength(2);
    });

    it.each([
      ['overload', { kind: 'status', status: 529, headers: AT_ONCE }, 7, 'overloaded (529)'],
      ['rate limits', { kind: 'status', status: 429, headers: AT_ONCE }, 7, 'limits the rate'],
      ['a wrong key', { kind: 'status', status: 401 }, 1, vendor.keyVariable],
      ['a key that may not', { kind: 'status', status: 403 }, 1, vendor.keyVariable],
      ['an unknown model', { kind: 'status', status: 404 }, 1, vendor.addressVariable],
      ['a refused request', { kind: 'status', status: 400, message: `No, ${SECRET}!\nNo.` }, 1, 'No, …! No.'],
      ['a redirect', { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 1, '302'],
      ['broken JSON', { kind: 'raw', body: '{"content": [' }, 1, 'could not be read'],
      // Its status is within those that ask for another try.
      [
        'more than is read',
        { kind: 'raw', body: `"${'x'.repeat(4 * 1024 * 1024)}"` },
        null,
        'longer than what is read',
      ],
    ] as const)('is an error in words after %s, without the key', async (_, always: FakeAnswer, calls, sentence) => {
      const { model, server } = await bench({ always });
      const failing = model.write(PROMPT, { attemptMs: 5_000, overallMs: 60_000 }, signal);
      await expect(failing).rejects.toBeInstanceOf(ModelError);
      await expect(failing).rejects.toThrow(sentence);
      await expect(failing).rejects.not.toThrow(SECRET);
      if (calls !== null) expect(server.requests).toHaveLength(calls);
    });

    it('names the address when nothing listens there', async () => {
      const model = vendor.nowhere();
      await expect(model.write(PROMPT, { attemptMs: 1_000, overallMs: 400 }, signal)).rejects.toThrow(
        /no answer within 0.4 s/,
      );
      await model.close();
    });

    it.each([['hang'], ['drip']] as const)('gives up at the deadline on a server that does %s', async (kind) => {
      const { model, server } = await bench({ always: { kind } });
      await expect(model.write(PROMPT, { attemptMs: 150, overallMs: 400 }, signal)).rejects.toThrow(
        'no answer within 0.4 s',
      );
      await eventually(() => expect(server.inFlight).toBe(0));
      expect(server.abandoned).toBeGreaterThanOrEqual(1);
    });

    it('waits no longer than its deadline, whatever the server asks for', async () => {
      const { model } = await bench({ always: { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } });
      await expect(model.write(PROMPT, { attemptMs: 150, overallMs: 300 }, signal)).rejects.toThrow(
        'no answer within 0.3 s',
      );
    });

    it('closes the connection when it is canceled, and sends nothing when it was before', async () => {
      const { model, server } = await bench({ always: { kind: 'hang' } });
      const controller = new AbortController();
      const canceled = expect(model.write(PROMPT, LIMITS, controller.signal)).rejects.toThrow('was canceled');
      await eventually(() => expect(server.inFlight).toBe(1));
      controller.abort();
      await canceled;
      await eventually(() => expect(server.inFlight).toBe(0));
      await expect(model.write(PROMPT, LIMITS, AbortSignal.abort())).rejects.toThrow('was canceled');
      expect(server.requests).toHaveLength(1);
    });

    it('is canceled while it waits to try again', async () => {
      const { model, server } = await bench({
        always: { kind: 'status', status: 503, headers: { 'retry-after': '3600' } },
      });
      const controller = new AbortController();
      const canceled = expect(model.write(PROMPT, LIMITS, controller.signal)).rejects.toThrow('was canceled');
      await eventually(() => expect(server.requests.length).toBe(1));
      controller.abort();
      await canceled;
    });

    it('leaves no listener on a signal that lives on', async () => {
      const { model } = await bench();
      const { signal: longLived } = new AbortController();
      let listeners = 0;
      const add = longLived.addEventListener.bind(longLived);
      const remove = longLived.removeEventListener.bind(longLived);
      longLived.addEventListener = (...parameters: Parameters<typeof add>) => {
        listeners += 1;
        add(...parameters);
      };
      longLived.removeEventListener = (...parameters: Parameters<typeof remove>) => {
        listeners -= 1;
        remove(...parameters);
      };
      await model.write(PROMPT, LIMITS, longLived);
      expect(listeners).toBe(0);
    });

    it('makes many calls at the same time, and ends them when it is closed', async () => {
      const { model, server } = await bench({ always: { kind: 'hang' } });
      const calls = Array.from({ length: 100 }, () =>
        model.write(PROMPT, UNHURRIED, new AbortController().signal).catch(() => 'ended'),
      );
      await eventually(() => expect(server.inFlight).toBe(100), UNHURRIED.overallMs);
      await model.close();
      await model.close();
      expect(new Set(await Promise.all(calls))).toEqual(new Set(['ended']));
      await eventually(() => expect(server.inFlight).toBe(0));
    });
  });
}
