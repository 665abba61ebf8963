// A clinical agent as a chat web page: a form, a list of messages, and replies that come word by word.
// Start it with `node examples/agents/chat-page/server.mjs [port]` and open the address it prints; put your agent where
// `answer` is. page.html, beside this file, is the page.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const WORD_PAUSE_MS = Number(process.env.WORD_PAUSE_MS ?? 40);

/** What the agent says to all that the patient has said, oldest first. */
function answer(patient) {
  if (/chest|breath|faint|stroke|bleeding|overdose|kill myself/i.test(patient.join(' '))) {
    return 'This may be an emergency. Please call your local emergency number (112 or 911) now and do not drive yourself.';
  }
  if (patient.length === 1) return 'I am sorry to hear that. Since when, and how bad is it from 0 to 10?';
  if (patient.length === 2) return 'Do you take any medicines, and are you allergic to anything?';
  return 'Please see your doctor within a day, and call an ambulance if it gets worse. Is there anything else?';
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET' && request.url === '/') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    return response.end(await readFile(new URL('page.html', import.meta.url)));
  }
  if (request.method !== 'POST' || request.url !== '/reply') return response.writeHead(404).end('Not found');
  let patient;
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    patient = JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return response.writeHead(400).end('The body is not JSON.');
  }
  if (!Array.isArray(patient) || patient.length === 0)
    return response.writeHead(400).end('A list of messages is needed.');
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  for (const word of answer(patient.map(String)).split(' ')) {
    response.write(`${word} `);
    await sleep(WORD_PAUSE_MS);
  }
  response.end();
});

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const config = { url: `http://127.0.0.1:${server.address().port}/`, message_selector: '.agent' };
  console.log(JSON.stringify({ provider: 'browser', config }));
});
