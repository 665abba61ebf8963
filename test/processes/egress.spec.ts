import { createServer } from 'node:https';
import { once } from 'node:events';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startForwardProxy, type FakeForwardProxy } from '../fakes/forward-proxy';
import { startHttpStub } from '../fakes/http-stub';
import { settingsFrom } from '../../src/platform/config/settings';
import { createTestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { startServiceProcess, type ServiceProcess } from '../setup/service-process';
import { examineTraced, startTracedService, traceOf } from '../setup/traced-service';

const PASSWORD = 'hunter2-hunter2';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('traces', () => {
  it.each(['http/json', 'http/protobuf'])('leave through the proxy, in %s', async (OTEL_EXPORTER_OTLP_PROTOCOL) => {
    const relay = await startHttpStub((response) => response.writeHead(200).end());
    const proxy = await startForwardProxy({ leadsTo: relay.origin, credentials: `night:${PASSWORD}` });
    closing.push(
      () => relay.close(),
      () => proxy.close(),
    );
    const service = await startTracedService({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
      OTEL_EXPORTER_OTLP_PROTOCOL,
      HTTP_PROXY: proxy.url,
    });
    closing.push(() => service.close());
    await examineTraced(service);
    await eventually(() => expect(relay.requests).not.toEqual([]));
    expect(relay.requests[0]).toMatchObject({ path: '/v1/traces', headers: { host: 'collector.example:4318' } });
    expect(proxy.asked[0]).toEqual({
      method: 'CONNECT',
      target: 'collector.example:4318',
      credentials: `night:${PASSWORD}`,
    });

    await relay.close();
    await examineTraced(service);
    await eventually(() => expect(service.process.output()).toContain('Traces do not arrive'));
    // Another problem is told of at once, too.
    proxy.behave({ status: 403 });
    await examineTraced(service);
    await eventually(() =>
      expect(service.process.output()).toContain(
        `The proxy 127.0.0.1:${proxy.port} refuses to connect to collector.example:4318 (403)`,
      ),
    );
    expect(service.process.output()).not.toContain(PASSWORD);
  });

  it('go directly to a collector on loopback', async () => {
    const proxy = await startForwardProxy({ leadsTo: 'http://127.0.0.1:9' });
    const service = await startTracedService({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
    closing.push(
      () => proxy.close(),
      () => service.close(),
    );
    expect(await traceOf(service, await examineTraced(service))).not.toEqual([]);
    expect(proxy.asked).toEqual([]);
  });
});

describe('NODE_EXTRA_CA_CERTS', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'osce-authority-'));
    const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const names = ['-subj', '/CN=models.example', '-addext', 'subjectAltName=DNS:models.example'];
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
    execFileSync('openssl', ['req', ...made, ...names, ...files], { stdio: 'ignore' });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A service whose model is behind the proxy, at a server with that certificate. Answers what was asked of the server. */
  async function startWith(variables: Readonly<Record<string, string>>): Promise<{
    readonly service: ServiceProcess;
    readonly paths: readonly string[];
    readonly proxy: FakeForwardProxy;
  }> {
    const paths: string[] = [];
    const tls = { cert: readFileSync(join(folder, 'cert.pem')), key: readFileSync(join(folder, 'key.pem')) };
    const server = createServer(tls, ({ url = '' }, response) => {
      paths.push(url);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const proxy = await startForwardProxy({ leadsTo: `https://127.0.0.1:${port}` });
    const database = await createTestDatabase();
    closing.push(
      () => server.close(),
      () => proxy.close(),
      () => database.drop(),
    );
    const service = await startServiceProcess({
      DATABASE_URL: database.url,
      ANTHROPIC_API_KEY: 'sk-ant-test',
      ANTHROPIC_BASE_URL: 'https://models.example',
      HTTPS_PROXY: proxy.url,
      ...variables,
    });
    closing.push(() => service.end('SIGKILL'));
    return { service, paths, proxy };
  }

  it('names an authority whose certificates are trusted through the proxy', async () => {
    const { paths, proxy } = await startWith({ NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') });
    expect(paths).toEqual(['/v1/models']);
    expect(proxy.asked).toMatchObject([{ method: 'CONNECT', target: 'models.example:443' }]);
  });

  it('is what is missing where a proxy opens encrypted connections', async () => {
    const { service, paths, proxy } = await startWith({});
    expect(service.output()).toContain(
      `The certificate shown for models.example through the proxy 127.0.0.1:${proxy.port} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): where the proxy opens encrypted connections, name its authority in NODE_EXTRA_CA_CERTS`,
    );
    expect(paths).toEqual([]);
  });

  it('is refused at the start when it names no file, or none with certificates', () => {
    const start = (path: string) => () => settingsFrom({ NODE_EXTRA_CA_CERTS: path });
    expect(start(join(folder, 'cert.pem'))).not.toThrow();
    expect(start(join(folder, 'no.pem'))).toThrow(/^NODE_EXTRA_CA_CERTS names \S+no\.pem, which does not exist\.$/);
    expect(start(folder)).toThrow(/which cannot be read \(EISDIR\)\.$/);
    expect(start(join(folder, 'key.pem'))).toThrow(/which holds no certificate in PEM form/);
    const broken = join(folder, 'broken.pem');
    writeFileSync(broken, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(start(broken)).toThrow(/which holds a certificate that cannot be read\.$/);
  });
});
