import { request } from 'node:http';
import { startClinicAgent, type ClinicAgent } from '../../src/demo/clinic-agent';
import { replyTo } from '../../src/demo/dialogue';
import { REFERENCE_AGENTS } from '../../src/demo/reference-agents';
import { scenarioFile } from '../../src/features/scenarios/scenario-file';
import { loadStarterLibrary } from '../../src/features/scenarios/starter-library';

/** What the tests read of an answer; a refusal has `error` only. */
interface Answer {
  readonly created: number;
  readonly choices: readonly [{ readonly message: { readonly content: string } }];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly error: unknown;
}

describe('the demo clinic agent as a chat completions API', () => {
  let agent: ClinicAgent;
  beforeAll(async () => {
    agent = await startClinicAgent({ latencyMs: 0 });
  });
  afterAll(() => agent.close());

  const user = (content: unknown) => ({ role: 'user', content });
  const post = async (body: unknown, path = '/chat/completions') => {
    const response = await fetch(`${agent.baseUrl}${path}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer };
  };

  it('answers a conversation with a completion', async () => {
    const { status, body } = await post({ model: 'any', messages: [user('I have a crushing pain in my chest.')] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'chat.completion',
      model: 'any',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: expect.stringMatching(/emergency services now/) },
        },
      ],
      usage: { total_tokens: body.usage.prompt_tokens + body.usage.completion_tokens },
    });
  });

  it('says the same in the same conversation, and goes on in a longer one', async () => {
    const conversation = { messages: [user('My ankle is swollen.')] };
    const [one, other] = [await post(conversation), await post(conversation)];
    expect(other.body).toEqual({ ...one.body, created: other.body.created });
    const first = one.body.choices[0].message;
    const next = await post({ messages: [...conversation.messages, first, user('I can walk on it.')] });
    expect(next.body.choices[0].message.content).not.toBe(first.content);
  });

  it('reads text parts and leaves out what the system and the assistant say', async () => {
    const parts = [{ type: 'text', text: 'I have a crushing pain in my chest.' }];
    const { body } = await post({ messages: [{ role: 'system', content: 'Be brief about pregnancy.' }, user(parts)] });
    const plain = await post({ messages: [user('I have a crushing pain in my chest.')] });
    expect(body.choices[0].message).toEqual(plain.body.choices[0].message);
  });

  it('lists its models: itself first, then the reference agents', async () => {
    const response = await fetch(`${agent.baseUrl}/models`);
    const models = ['demo-clinic-agent', ...Object.keys(REFERENCE_AGENTS)];
    expect(await response.json()).toMatchObject({ object: 'list', data: models.map((id) => ({ id })) });
  });

  it('is a reference agent to who names its model', async () => {
    const model = 'reference/always-escalates';
    const first = await post({ model, messages: [user('My ankle is swollen.')] });
    const [{ message }] = first.body.choices;
    expect(message.content).toMatch(/call emergency services now/);
    const next = await post({ model, messages: [user('My ankle is swollen.'), message, user('I can walk on it.')] });
    expect(next.body.choices[0].message.content).toMatch(/do not drive yourself/);
  });

  it('as the ideal clinician says what the scenario says, and knows no other patients', async () => {
    const model = 'reference/ideal-clinician';
    const [scenario] = await loadStarterLibrary();
    const { chief_complaint, model_replies = [] } = scenarioFile.shape.content.parse(scenario?.content);
    const known = await post({ model, messages: [user(chief_complaint)] });
    expect(known.body.choices[0].message.content).toBe(model_replies[0]);
    const unknown = await post({ model, messages: [user('My parrot has lost its voice.')] });
    expect(unknown.body.choices[0].message.content).toMatch(/^I only know the patients of the library/);
  });

  it.each([
    ['no JSON', '{', null],
    ['no messages', {}, 'messages'],
    ['an empty list', { messages: [] }, 'messages'],
    ['only a system prompt', { messages: [{ role: 'system', content: 'Hello' }] }, 'messages'],
    ['an unknown role', { messages: [{ role: 'patient', content: 'Hello' }] }, 'messages.0.role'],
    ['a number for a text', { messages: [user(7)] }, 'messages.0.content'],
    ['streaming', { messages: [user('Hello')], stream: true }, 'stream'],
  ])('refuses %s, naming the field', async (_what, sent, param) => {
    const { status, body } = await post(sent);
    expect(status).toBe(400);
    expect(body.error).toEqual({ message: expect.any(String), type: 'invalid_request_error', param, code: null });
  });

  it('refuses other paths, other methods and enormous conversations', async () => {
    expect((await post({}, '/embeddings')).status).toBe(404);
    expect((await post({}, '/models')).status).toBe(405);
    expect((await post({ messages: [user('a'.repeat(3_000_000))] })).status).toBe(413);
  });

  it('takes its time, unless the client goes, and stops at once', async () => {
    const slow = await startClinicAgent({ latencyMs: 60_000 });
    const client = request(`${slow.baseUrl}/chat/completions`, { method: 'POST' });
    const cutOff = new Promise<Error>((resolve) => client.once('error', resolve));
    const sent = new Promise((resolve) => client.once('finish', resolve));
    client.end(JSON.stringify({ messages: [user('Hello')] }));
    await sent;
    await slow.close();
    expect((await cutOff).message).toMatch(/hang up|ECONNRESET/);
    await slow.close();
  });

  it('says so when its port is taken', async () => {
    const port = Number(new URL(agent.baseUrl).port);
    await expect(startClinicAgent({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('what the demo clinic agent says', () => {
  it.each([
    ['chest pain', 'There is a heavy pressure on my chest.'],
    ['a stroke', "My father's face droops and his speech is slurred."],
    ['a severe allergic reaction', 'My throat feels tight after a wasp sting.'],
  ])('sends for help at once with %s', (_what, complaint) => {
    expect(replyTo([complaint])).toContain('call emergency services now');
  });

  it('leaves what it was about for an emergency that comes up later', () => {
    const messages = ['I rolled my ankle.', 'I could not see the step.'];
    expect(replyTo(messages)).not.toContain('emergency services');
    expect(replyTo([...messages, 'And there is a crushing pain in my chest.'])).toContain('emergency services');
  });

  it('takes what the patient does not have for no sign', () => {
    expect(replyTo(['My legs are swollen.', 'I have no chest pain.'])).not.toContain('emergency services');
  });

  it('speaks of the person it is about', () => {
    expect(replyTo(["My wife's words are slurred.", 'An hour ago.'])).toContain('Can she raise both arms');
    expect(replyTo(["My dad's words are slurred.", 'An hour ago.'])).toContain('Can he raise both arms');
    expect(replyTo(['My words are slurred.', 'An hour ago.'])).toContain('Can you raise both arms');
  });

  it('says nothing twice, and something to everything', () => {
    const messages = ['', 'x'.repeat(100_000), '🤕', ...Array.from({ length: 8 }, () => 'Can I take ibuprofen?')];
    const replies = messages.map((_, at) => replyTo(messages.slice(0, at + 1)));
    expect(replies.every((reply) => /^[A-Z].*[.?!]$/.test(reply) && !/[{}$]/.test(reply))).toBe(true);
    expect(new Set(replies.slice(0, 6)).size).toBe(6);
  });
});
