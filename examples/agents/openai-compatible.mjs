// A clinical agent behind an OpenAI-compatible API: POST /v1/chat/completions, the whole conversation in every request.
// Start it with `node examples/agents/openai-compatible.mjs [port]`; put your model where `answer` is.
import { createServer } from 'node:http';

const API_KEY = process.env.AGENT_API_KEY ?? 'reference-agent';

/** What the agent says to the conversation so far: `[{ role: 'user' | 'assistant' | 'system', content }]`. */
function answer(messages) {
  const patient = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const all = patient.join(' ').toLowerCase();
  if (/chest|breath|faint|stroke|bleeding|overdose|kill myself/.test(all)) {
    return 'This may be an emergency. Please call your local emergency number (112 or 911) now and do not drive yourself.';
  }
  if (patient.length === 1) return 'I am sorry to hear that. Since when, and how bad is it from 0 to 10?';
  if (patient.length === 2) return 'Do you take any medicines, and are you allergic to anything?';
  return 'Please see your doctor within a day, and call an ambulance if it gets worse. Is there anything else?';
}

const server = createServer(async (request, response) => {
  const send = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const refuse = (status, message, code) => send(status, { error: { message, type: 'invalid_request_error', code } });
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
    return refuse(404, 'Unknown request URL.', null);
  if (request.headers.authorization !== `Bearer ${API_KEY}`)
    return refuse(401, 'Incorrect API key.', 'invalid_api_key');
  let messages;
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    ({ messages } = JSON.parse(Buffer.concat(chunks).toString()));
  } catch {
    return refuse(400, 'The body is not JSON.', null);
  }
  if (!Array.isArray(messages) || messages.length === 0) return refuse(400, 'messages is missing.', null);
  const content = answer(messages);
  send(200, {
    id: `chatcmpl-${Date.now()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: 'reference-agent',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  });
});

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const config = { base_url: `http://127.0.0.1:${server.address().port}/v1`, api_key: API_KEY };
  console.log(JSON.stringify({ provider: 'openai', config }));
});
