import { ModelTransport } from '../../../src/examiners/model/model.transport';
import { startFakeAnthropic, type FakeAnthropic, type FakeAnthropicOptions } from '../../fakes/anthropic-server';
import { eventually } from '../../setup/eventually';

const REQUEST = {
  method: 'post',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'm', max_tokens: 1, messages: [] }),
};

const open: { close(): Promise<void> }[] = [];

async function bench(options: FakeAnthropicOptions): Promise<{ api: FakeAnthropic; transport: ModelTransport }> {
  const api = await startFakeAnthropic(options);
  const transport = new ModelTransport(api.url);
  open.push(transport, api);
  return { api, transport };
}

afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

describe('Transport of a model', () => {
  it('returns status, headers and body of an answer', async () => {
    const { api, transport } = await bench({ script: [{ kind: 'raw', body: '{"grüße":"👋"}' }] });
    const response = await transport.fetch(`${api.url}/v1/messages`, REQUEST);
    expect(response.ok).toBe(true);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ grüße: '👋' });
    expect(await response.text()).toBe('{"grüße":"👋"}');
  });

  it('does not follow redirects', async () => {
    const { api, transport } = await bench({
      answer: () => ({ kind: 'status', status: 307, headers: { location: '/elsewhere' } }),
    });
    const response = await transport.fetch(`${api.url}/v1/messages`, REQUEST);
    expect(response.status).toBe(307);
    expect(api.calls.patient).toBe(1);
  });

  it('does not read an endless answer', async () => {
    const { api, transport } = await bench({ script: [{ kind: 'raw', body: 'x'.repeat(4 * 1024 * 1024 + 1) }] });
    await expect(transport.fetch(`${api.url}/v1/messages`, REQUEST)).rejects.toThrow('too long');
    await eventually(() => expect(api.inFlight).toBe(0));
  });

  it.each([600, 999])('refuses an answer with status %i, which no response may have', async (status) => {
    const { api, transport } = await bench({ answer: () => ({ kind: 'status', status }) });
    await expect(transport.fetch(`${api.url}/v1/messages`, REQUEST)).rejects.toThrow('not one that HTTP has');
  });

  it('calls no other origin and sends no streams', async () => {
    const { api, transport } = await bench({});
    await expect(transport.fetch('http://127.0.0.1:9/v1/messages', REQUEST)).rejects.toThrow('origin');
    await expect(transport.fetch(`${api.url}.example.com/v1/messages`, REQUEST)).rejects.toThrow('origin');
    await expect(transport.fetch(`${api.url}/v1/messages`, { ...REQUEST, body: new Uint8Array(1) })).rejects.toThrow(
      'text',
    );
    expect(api.calls.patient).toBe(0);
  });

  it.each([['hang'], ['drip']] as const)('closes the connection when aborted during a %s', async (kind) => {
    const { api, transport } = await bench({ answer: () => ({ kind }) });
    const controller = new AbortController();
    const aborted = expect(
      transport.fetch(`${api.url}/v1/messages`, { ...REQUEST, signal: controller.signal }),
    ).rejects.toMatchObject({ name: 'AbortError' });
    await eventually(() => expect(api.inFlight).toBe(1));
    controller.abort();
    await aborted;
    await eventually(() => expect(api.abandoned).toBe(1));
  });

  it('sends nothing when aborted before there is a connection', async () => {
    const { api, transport } = await bench({});
    const controller = new AbortController();
    const aborted = expect(
      transport.fetch(`${api.url}/v1/messages`, { ...REQUEST, signal: controller.signal }),
    ).rejects.toMatchObject({ name: 'AbortError' });
    controller.abort();
    await aborted;
    await transport.fetch(`${api.url}/v1/messages`, REQUEST);
    expect(api.calls.patient).toBe(1);
  });

  it('ends calls in flight when closed, and closes twice', async () => {
    const { api, transport } = await bench({ answer: () => ({ kind: 'hang' }) });
    const ended = expect(transport.fetch(`${api.url}/v1/messages`, REQUEST)).rejects.toThrow();
    await eventually(() => expect(api.inFlight).toBe(1));
    await transport.close();
    await transport.close();
    await ended;
  });
});
