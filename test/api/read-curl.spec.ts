import { ApiClient } from '../setup/api-client';
import { startTestService, type TestService } from '../setup/service';

describe('POST /api/v1/agents/read-curl', () => {
  let service: TestService;
  let api: ApiClient;
  beforeAll(async () => {
    service = await startTestService();
    api = new ApiClient(service.url);
  });
  afterAll(() => service?.close());

  const read = (body: object) => api.post('/api/v1/agents/read-curl', body);

  it('answers the fields of an agent that sends what the line sends, and stores nothing', async () => {
    const curl =
      '$ curl -k https://agents.example.org/chat -H \'Authorization: Bearer sk-1\' --json \'{"message": "Hi", "session_id": "7"}\'';
    const { status, body } = await read({ curl });
    expect([status, body]).toEqual([
      200,
      {
        name: 'agents.example.org',
        provider: 'http',
        config: {
          url: 'https://agents.example.org/chat',
          api_key: 'sk-1',
          headers: { accept: 'application/json' },
          body: { message: '{{message}}', session_id: '{{session_id}}' },
        },
        message_at: 'body.message',
        session_at: ['body.session_id'],
        remarks: ['--insecure is left out: the service always checks certificates.'],
        warnings: [],
      },
    ]);
    expect((await api.get('/api/v1/agents')).body).toEqual([]);
  });

  it.each([
    ['', { reply_path: 'choices[0].message.content' }],
    [', "stream": true', { stream_reply_path: 'choices[0].delta.content' }],
  ])('knows where chat completions have the reply%s', async (more, where) => {
    const curl = `curl https://a.example/v1/chat/completions --json '{"model": "m", "messages": [{"role": "user", "content": "Hi"}]${more}}'`;
    const { status, body } = await read({ curl });
    expect({ status, config: body.config }).toMatchObject({ status: 200, config: where });
  });

  it('warns of a line that carries no conversation', async () => {
    const { body } = await read({ curl: "curl https://a.example -d 'say=Hello'", message: 'Hello' });
    expect(body).toMatchObject({ config: { body: { say: '{{message}}' } }, session_at: [] });
    expect(body.warnings).toHaveLength(1);
  });

  it.each([
    ['wget https://a.example', 'The line must begin with curl.'],
    ['curl https://a.example -d @/etc/passwd', 'The line takes its data from a file'],
    ['curl https://a.example -d "message=$HOME"', 'The line uses the variable HOME, which is not set'],
    ['curl https://a.example -d x=1', 'Which part of the line is the message?'],
    ['curl file:///etc/passwd -d message=1', 'no http or https address'],
    ['curl https://a.example -d message=1 | jq .', 'put the address in quotes'],
  ])('refuses %s in a sentence', async (curl, sentence) => {
    const { status, body } = await read({ curl });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(sentence);
  });

  it('bounds the line', async () => {
    expect((await read({ curl: `curl ${'x'.repeat(200_000)}` })).status).toBe(400);
    expect((await read({})).status).toBe(400);
  });
});
