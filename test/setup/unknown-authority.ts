import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

/** A certificate for 127.0.0.1 that nobody has signed but itself, as files. */
export function selfSigned(): { readonly cert: string; readonly key: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'osce-certificate-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', ...made, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert, key, remove: () => rmSync(folder, { recursive: true }) };
}

/** What a PostgreSQL server does until it is trusted: it agrees to encrypt, and shows such a certificate. */
export async function startUntrustedPostgres(): Promise<{
  readonly port: number;
  readonly close: () => Promise<void>;
}> {
  const { cert, key, remove } = selfSigned();
  const context = { isServer: true, cert: readFileSync(cert), key: readFileSync(key) };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, context).on('error', () => undefined);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    remove();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, close };
}
