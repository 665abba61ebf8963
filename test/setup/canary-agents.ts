import { chat } from '../fakes/vapi-server';
import { completion } from '../fakes/openai-server';
import { sendJson, type Step } from '../fakes/http-stub';
import type { Canaries } from './canaries';

/** What every server that is called does: it says what it was sent, in an answer or in an error. */
export type Manner = 'answers' | 'refuses' | 'fails';

/** @param known secrets that it also has, wherever from, and gives away when it answers */
export function echo(manner: () => Manner, known: () => readonly string[] = () => []): Step {
  return (response, { path, headers, body }) => {
    const sent = `I was sent ${path} ${JSON.stringify(headers)} ${JSON.stringify(body)}`;
    if (manner() === 'refuses') return sendJson(response, 401, { error: { message: sent }, message: sent });
    if (manner() === 'fails') return void response.writeHead(500, { 'x-echo': 'yes' }).end(sent);
    const said = `I know ${known().join(' and ')}. ${sent}`;
    if (path.includes('/chat/completions')) return sendJson(response, 200, completion(said));
    if (path.startsWith('/chat')) return sendJson(response, 201, chat([{ role: 'assistant', content: said }]));
    return sendJson(response, 200, { reply: said, token: said, url: said });
  };
}

/** Configs of an agent of every kind, with a canary in every field that takes a secret, or may hold one. */
export function canaryAgents(canaries: Canaries, origin: string): Readonly<Record<string, object>> {
  const place = (field: string) => canaries.of(`agents.${field}`);
  const headers = (kind: string) => ({
    'x-tenant': place(`${kind}.headers`),
    cookie: `session=${place(`${kind}.cookie`)}`,
  });
  return {
    openai: {
      base_url: `${origin}/v1?api_key=${place('openai.base_url')}`,
      api_key: place('openai.api_key'),
      headers: headers('openai'),
    },
    'openai without a key': { base_url: `${origin}/v1` },
    vapi: { api_base: origin, api_key: place('vapi.api_key'), assistant_id: 'assistant' },
    livekit: {
      url: 'ws://127.0.0.1:9',
      auth_mode: 'token',
      token_url: `${origin}/token?key=${place('livekit.token_url')}`,
      token_headers: headers('livekit.token'),
      token_body: { client_secret: place('livekit.token_body') },
    },
    'livekit with a secret': {
      url: origin.replace('http', 'ws'),
      api_key: place('livekit.api_key'),
      api_secret: place('livekit.api_secret'),
    },
    pipecat: {
      base_url: origin,
      api_key: place('pipecat.api_key'),
      agent_name: 'bot',
      transport_url: origin.replace('http', 'ws'),
      transport_api_key: place('pipecat.transport_api_key'),
      transport_api_secret: place('pipecat.transport_api_secret'),
    },
    browser: { url: `${origin}/page?token=${place('browser.url')}`, headers: headers('browser') },
    http: {
      url: `${origin}/talk?subscription_key=${place('http.url')}`,
      headers: { ...headers('http'), authorization: `Bearer ${place('http.authorization')}` },
      body: { say: '{{message}}', session: '{{session_id}}', password: place('http.body') },
      reply_path: 'reply',
    },
  };
}
