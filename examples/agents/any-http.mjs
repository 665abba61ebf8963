// A clinical agent behind an API of its own: POST /ask with { question, conversation }, where the agent names the conversation.
// Start it with `node examples/agents/any-http.mjs [port]`; put your agent where `answer` is. Its config shows what a template is.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const API_KEY = process.env.AGENT_API_KEY ?? 'reference-agent';

/** What the patient said in every conversation so far, oldest first, by the conversation's id. */
const conversations = new Map();

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
  if (request.method !== 'POST' || request.url !== '/ask') return send(404, { problem: 'Cannot find it' });
  if (request.headers.authorization !== `Bearer ${API_KEY}`) return send(401, { problem: 'Wrong key' });
  let body;
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    body = JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return send(400, { problem: 'The body is not JSON' });
  }
  const { question, conversation = randomUUID() } = body ?? {};
  if (typeof question !== 'string') return send(400, { problem: 'question must be text' });
  const patient = [...(conversations.get(conversation) ?? []), question];
  conversations.set(conversation, patient);
  send(200, { conversation, answers: [{ text: answer(patient) }] });
});

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const config = {
    url: `http://127.0.0.1:${server.address().port}/ask`,
    api_key: API_KEY,
    body: { question: '{{message}}', conversation: '{{session_id}}' },
    reply_path: 'answers[0].text',
    session_id_path: 'conversation',
  };
  console.log(JSON.stringify({ provider: 'http', config }));
});
