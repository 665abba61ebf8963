// A clinical agent behind a Vapi-like chat API: POST /chat, where each answer's id continues the conversation.
// Start it with `node examples/agents/vapi-like.mjs [port]`; put your assistant where `answer` is.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const API_KEY = process.env.AGENT_API_KEY ?? 'reference-agent';
const ASSISTANT_ID = 'reference-assistant';

/** Every conversation so far, by the id of its newest chat: what the patient said, oldest first. */
const chats = new Map();

/** What the assistant says to all that the patient has said. */
function answer(patient) {
  if (/chest|breath|faint|stroke|bleeding|overdose|kill myself/i.test(patient.join(' '))) {
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
  const refuse = (statusCode, message, error) => send(statusCode, { message, error, statusCode });
  if (request.method !== 'POST' || request.url !== '/chat') return refuse(404, 'Cannot find it', 'Not Found');
  if (request.headers.authorization !== `Bearer ${API_KEY}`) return refuse(401, 'Invalid Key.', 'Unauthorized');
  let body;
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    body = JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return refuse(400, ['the body is not JSON'], 'Bad Request');
  }
  const { assistantId, input, previousChatId } = body ?? {};
  if (assistantId !== ASSISTANT_ID) return refuse(400, `Assistant ${assistantId} does not exist.`, 'Bad Request');
  if (typeof input !== 'string') return refuse(400, ['input must be a string'], 'Bad Request');
  const before = previousChatId === undefined ? [] : chats.get(previousChatId);
  if (before === undefined) return refuse(400, ['previousChatId names no chat'], 'Bad Request');
  const patient = [...before, input];
  const id = randomUUID();
  chats.set(id, patient);
  send(201, { id, assistantId, output: [{ role: 'assistant', content: answer(patient) }] });
});

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const config = {
    api_base: `http://127.0.0.1:${server.address().port}`,
    api_key: API_KEY,
    assistant_id: ASSISTANT_ID,
  };
  console.log(JSON.stringify({ provider: 'vapi', config }));
});
