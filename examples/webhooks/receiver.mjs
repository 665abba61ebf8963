// A receiver of Agent OSCE's webhooks that trusts nothing it cannot verify. Node alone: WEBHOOK_SECRET=whsec_… node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace(/^whsec_/, ''), 'base64');
if (secret.length === 0) throw new Error('Set WEBHOOK_SECRET to what the creation of the webhook has shown.');
const MAX_BYTES = 64 * 1024;
const TOLERANCE_SECONDS = 5 * 60;

/** What has been dealt with: messages arrive at least once. Keep it where it survives a restart. */
const seen = new Set();

const server = createServer(async (request, response) => {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) return response.writeHead(413).end();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end('The signature is not ours.');
  const id = request.headers['webhook-id'];
  // Answer first, work afterwards: whoever has no answer within ten seconds sends it again.
  response.writeHead(204).end();
  if (seen.has(id)) return;
  seen.add(id);
  const { type, data } = JSON.parse(body.toString());
  console.log(JSON.stringify({ type, run: data.test_run?.test_run_id, status: data.test_run?.status }));
});

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  // An old message that somebody recorded is not accepted again.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const wanted = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

server.listen(Number(process.env.PORT ?? 8099), '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/` }));
});
