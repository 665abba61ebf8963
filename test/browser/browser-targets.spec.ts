import { createHash } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { AgentConfig, Session } from '../../src/agents/provider';
import { OwnServices } from '../../src/platform/targets/own-services';
import { TargetGuard } from '../../src/platform/targets/target-guard';
import { TargetPolicy, type TargetMode } from '../../src/platform/targets/target-policy';
import { startHttpStub, type HttpStub, type Step } from '../fakes/http-stub';
import { openBrowserBench, type BrowserBench } from '../setup/browser-bench';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { eventually } from '../setup/eventually';
import { unaborted } from '../agents/provider.contract';

const html =
  (body: string): Step =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>${body}`);

/** A chat page whose script answers each message itself, after it has done what the test is about. */
const chat = (
  script: string,
): string => `<form><textarea></textarea><button>Send</button></form><div id="log"></div><script>
const log = (text) => { const p = document.createElement('p'); p.className = 'agent'; p.textContent = text; document.getElementById('log').append(p); };
document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  document.querySelector('textarea').value = '';
  const said = await (async () => { ${script} })().catch(String);
  log('Reply: ' + said);
});</script>`;

/** RFC 6455. */
const WEB_SOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const TALK = { message_selector: '.agent' };

describeWithBrowser('where pages may connect to', () => {
  const ends: (() => unknown)[] = [];
  /** A port of the service's own: TCP connections and UDP packets that reach it. */
  let own: { readonly port: number; readonly met: string[] };
  beforeEach(async () => {
    own = await listenForAnything();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function listenForAnything(): Promise<{ port: number; met: string[] }> {
    const met: string[] = [];
    const tcp: Server = createServer((socket) => {
      met.push('tcp');
      socket.destroy();
    });
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    const udp: Socket = createSocket('udp4', () => met.push('udp'));
    udp.bind(port, '127.0.0.1');
    await once(udp, 'listening');
    ends.push(() => {
      tcp.close();
      udp.close();
    });
    return { port, met };
  }

  /** A server that accepts every WebSocket and says nothing. */
  async function acceptSockets(): Promise<string> {
    const server = createHttpServer().on('upgrade', ({ headers }, socket) => {
      const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${WEB_SOCKET_GUID}`).digest('base64');
      const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
      socket.on('error', () => undefined);
      // It is no longer the server's to close.
      ends.push(() => void socket.destroy());
      socket.write([...lines, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  function open(mode: TargetMode = 'local'): BrowserBench {
    const services = new OwnServices(() => [{ host: '0.0.0.0', port: own.port }]);
    const bench = openBrowserBench(new TargetGuard(new TargetPolicy({ mode, allowed: [] }, services), services));
    ends.push(() => bench.close());
    return bench;
  }

  async function serve(step: Step): Promise<HttpStub> {
    const stub = await startHttpStub(step);
    ends.push(() => stub.close());
    return stub;
  }

  async function talk(bench: BrowserBench, config: AgentConfig): Promise<{ said: string; session: Session }> {
    const session = await bench.connect({ ...TALK, ...config });
    const { content } = await session.send('Hello.', unaborted());
    return { said: content, session };
  }

  it('a page at the service itself is refused by its rule, however its address is spelled', async () => {
    const bench = open();
    const hosts = ['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '[::ffff:127.0.0.1]', '[::1]'];
    const urls = hosts.flatMap((host) => [`http://${host}:${own.port}/`, `https://${host}:${own.port}/`]);
    const refusals = urls.map((url) =>
      expect(bench.connect({ url })).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining('a port of this service itself'),
        disposition: { kind: 'terminal' },
      }),
    );
    await Promise.all(refusals);
    expect(own.met).toEqual([]);
  });

  it('a page on loopback is refused with TARGETS=public', async () => {
    const stub = await serve(html(chat('')));
    await expect(open('public').connect({ url: stub.origin })).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('TARGETS=public'),
    });
    expect(stub.requests).toEqual([]);
  });

  it.each(['http', 'https'])('a redirect to a refused address (%s) is refused by the same rule', async (scheme) => {
    const stub = await serve(
      (response) => void response.writeHead(302, { location: `${scheme}://localhost:${own.port}/` }).end(),
    );
    await expect(open().connect({ url: stub.origin })).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('a port of this service itself'),
    });
    expect(own.met).toEqual([]);
  });

  it('what a page loads beside itself fails alone, is noted, and reaches nothing', async () => {
    const at = (scheme: string): string => `${scheme}://127.0.0.1:${own.port}`;
    const parts = `
      <link rel="prefetch" href="${at('http')}/prefetch"><link rel="preconnect" href="${at('https')}">
      <link rel="dns-prefetch" href="//127.0.0.1:${own.port}"><link rel="stylesheet" href="${at('http')}/style.css">
      <img src="${at('http')}/picture.png"><iframe src="${at('http')}/frame"></iframe>
      <script src="${at('http')}/script.js"></script>
      <script type="speculationrules">{"prerender": [{"urls": ["${at('http')}/prerender"]}]}</script>`;
    const script = `
      const failed = (promise) => promise.then(() => 'reached', () => 'failed');
      const socket = new WebSocket('${at('ws')}');
      const secure = new WebSocket('${at('wss')}');
      const ended = (one) => new Promise((done) => { one.onerror = () => done('failed'); one.onopen = () => done('reached'); });
      navigator.sendBeacon('${at('http')}/beacon', 'x');
      const events = new EventSource('${at('http')}/events');
      const worker = new Worker(URL.createObjectURL(new Blob(["fetch('${at('http')}/worker').then(() => postMessage('reached'), () => postMessage('failed'))"])));
      const worked = new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
      return (await Promise.all([
        failed(fetch('${at('http')}/fetch', { mode: 'no-cors' })), failed(fetch('${at('https')}/fetch', { mode: 'no-cors' })),
        ended(socket), ended(secure), ended(events), worked,
      ])).join(' ');`;
    const stub = await serve(html(parts + chat(script)));
    const { said, session } = await talk(open(), { url: stub.origin });
    expect(said).toBe('Reply: failed failed failed failed failed failed');
    expect(session.metadata()['refused_addresses']).toEqual([
      expect.stringContaining(`127.0.0.1:${own.port} leads to a port of this service itself`),
    ]);
    expect(own.met).toEqual([]);
    await session.close();
  });

  it('what does not run over the proxy has no way at all', async () => {
    const script = `
      const servers = [{ urls: 'stun:127.0.0.1:${own.port}' }, { urls: 'turn:127.0.0.1:${own.port}?transport=udp', username: 'u', credential: 'p' },
        { urls: 'turn:127.0.0.1:${own.port}?transport=tcp', username: 'u', credential: 'p' }];
      const peer = new RTCPeerConnection({ iceServers: servers });
      peer.createDataChannel('data');
      const gathered = new Promise((done) => { peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === 'complete') done(); }; });
      await peer.setLocalDescription(await peer.createOffer());
      const late = new Promise((done) => setTimeout(done, 3000));
      await Promise.race([gathered, late]);
      const quic = typeof WebTransport === 'undefined' ? 'failed'
        : await new WebTransport('https://127.0.0.1:${own.port}/').ready.then(() => 'reached', () => 'failed');
      return quic;`;
    const stub = await serve(html(chat(script)));
    const { said, session } = await talk(open(), { url: stub.origin });
    expect(said).toBe('Reply: failed');
    expect({ met: own.met, said }).toEqual({ met: [], said: 'Reply: failed' });
    await session.close();
  });

  it('a reply that hangs on a refused address ends with the rule', async () => {
    const script = `await fetch('http://127.0.0.1:${own.port}/reply').catch(() => new Promise(() => undefined));`;
    const stub = await serve(html(chat(script)));
    const session = await open().connect({ ...TALK, url: stub.origin, turn_timeout_ms: 4_000 });
    await expect(session.send('Hello.', unaborted())).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(/showed no reply.*a port of this service itself/),
    });
  });

  it('everything else works as without: other ports of loopback, streams of events, WebSockets', async () => {
    const other = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' });
      response.flushHeaders();
      setTimeout(() => response.write('data: event\n\n'), 100);
    });
    const sockets = await acceptSockets();
    const script = `
      const events = new EventSource('${other.origin}/');
      const first = await new Promise((done) => { events.onmessage = ({ data }) => done(data); events.onerror = () => done('failed'); });
      const posted = await (await fetch('/', { method: 'POST', body: 'x'.repeat(100000) })).text();
      const socket = new WebSocket('${sockets.replace('http', 'ws')}');
      const opened = await new Promise((done) => { socket.onopen = () => done('open'); socket.onerror = () => done('failed'); });
      return first + ' ' + opened + ' ' + posted.length;`;
    const stub = await serve(html(chat(script)));
    const { said, session } = await talk(open(), { url: stub.origin });
    expect(said).toMatch(/^Reply: event open \d{3,}$/);
    expect(session.metadata()).not.toHaveProperty('refused_addresses');
    await session.close();
    await eventually(() => expect(other.openSockets).toBe(0));
  });
});
