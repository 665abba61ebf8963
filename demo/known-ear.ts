import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { monoOf, readWav, type Sound } from '../src/engine/audio';

const HOST = '127.0.0.1';
/** A clip of 30 s has 1 MB. */
const MOST_BYTES = 4 * 1024 * 1024;
const LONGEST_SECONDS = 60;

/** The ear of the spoken demonstration, as the run names it. */
export const EAR_MODEL = 'the-sentences-of-the-demo';

/** What is said in a sound; of what it does not know it tells nothing. */
type Hear = (sound: Sound) => string;

/** Stands where a transcription server would: OpenAI-compatible, on this machine, and no recogniser: it knows what may be said by its sound. */
export class KnownEar {
  private constructor(
    private readonly server: Server,
    readonly baseUrl: string,
  ) {}

  static async start(hear: Hear): Promise<KnownEar> {
    const server = createServer((request, response) => {
      answer(request, hear).then(
        (text) => send(response, 200, { text }),
        (error: unknown) => {
          const message = error instanceof Error ? error.message : String(error);
          send(response, 400, { error: { message, type: 'invalid_request_error' } });
        },
      );
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, HOST, resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return new KnownEar(server, `http://${HOST}:${port}/v1`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

async function answer(request: IncomingMessage, hear: Hear): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error('The sound is too long.');
    chunks.push(chunk);
  }
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const file = (await new Response(Buffer.concat(chunks), { headers }).formData()).get('file');
  if (file === null || typeof file === 'string') throw new Error('file: no sound was sent.');
  return hear(monoOf(readWav(Buffer.from(await file.arrayBuffer()), LONGEST_SECONDS)));
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
