import { randomUUID } from 'node:crypto';
import { delayed, lastMessage, type FakeAgent, type FakeAgentOptions, type FakeMessage } from './fake-agent';
import { startHttpStub, type Step } from './http-stub';

/** How the page looks and behaves; by default a textarea in a form with a button, and replies that come whole. */
export interface ChatLook {
  readonly composer?: 'textarea' | 'input' | 'contenteditable';
  /** `enter`: there is no button; `button`: it stands outside any form. */
  readonly send?: 'form' | 'enter' | 'button';
  /** Everything is inside open shadow roots. */
  readonly shadow?: boolean;
  /** The page holds the chat in a frame. */
  readonly framed?: boolean;
  /** Shown so many milliseconds after the page was loaded. */
  readonly greeting?: { readonly text: string; readonly afterMs: number };
  /** `indicator`: an element says so until the reply is whole; `bubble`: the reply's own place does, in words. */
  readonly typing?: 'indicator' | 'bubble';
  /** Every change makes all messages anew, with a time that changes beside each. */
  readonly rerenders?: boolean;
  /** Words come one by one, with this pause between two. */
  readonly wordPauseMs?: number;
  /** A pause in the middle of the reply. */
  readonly longPauseMs?: number;
  /** What the agent says is put into the page as markup, and its scripts run. */
  readonly trusting?: boolean;
  /** The patient's message is not shown. */
  readonly hidesPatient?: boolean;
}

export interface ChatPageOptions extends FakeAgentOptions, ChatLook {}

export interface FakeChatPage extends FakeAgent {
  /** What the page's own server was asked. */
  readonly pageRequests: FakeAgent['requests'];
}

/**
 * A web page with a chat in it. It speaks to a server of its own, which is what the stub's counts and steps are about; the
 * page itself comes from another one.
 */
export async function startFakeChatPage(options: ChatPageOptions = {}): Promise<FakeChatPage> {
  const { reply = lastMessage, delayMs = 0 } = options;
  const conversations = new Map<string, readonly FakeMessage[]>();
  const answer: Step = (response, { body }) => {
    const { conversation, text } = messageIn(body);
    const heard = [...(conversations.get(conversation) ?? []), { role: 'user', content: text }];
    const content = reply(heard);
    conversations.set(conversation, [...heard, { role: 'assistant', content }]);
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'access-control-allow-origin': '*' });
    response.end(content);
  };
  const stub = await startHttpStub(delayed(answer, delayMs), options);
  const pages = await startHttpStub((response, { path }) => {
    const html = path.startsWith('/framed') ? framed() : chatHtml(stub.origin, options);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  const closeStub = stub.close.bind(stub);
  const path = options.framed === true ? '/framed' : '/';
  return Object.assign(stub, {
    baseUrl: pages.origin + path,
    pageRequests: pages.requests,
    close: async () => {
      await Promise.all([closeStub(), pages.close()]);
    },
  });
}

const ENDED = 'x-ended';

/** The agent says this, or nothing, and the page says that the conversation has ended. */
export function hangsUp(words: string | null): Step {
  return (response) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-expose-headers': ENDED, [ENDED]: 'yes' };
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(words ?? '');
  };
}

function messageIn(body: unknown): { conversation: string; text: string } {
  if (typeof body !== 'object' || body === null || !('text' in body) || !('conversation' in body)) {
    throw new Error('The chat page sent something else than a message.');
  }
  return { conversation: String(body.conversation), text: String(body.text) };
}

function framed(): string {
  return '<!doctype html><title>A site</title><h1>Welcome</h1><input type="search" placeholder="Search"><iframe id="chat" src="/chat" width="600" height="500"></iframe><footer>Imprint</footer>';
}

/** The page as a program would be written for it; `/*…*​/` stands for what the look changes. */
function chatHtml(api: string, look: ChatLook): string {
  const { composer = 'textarea', send = 'form' } = look;
  const field = {
    textarea: '<textarea id="field" placeholder="Message"></textarea>',
    input: '<input id="field" placeholder="Message">',
    contenteditable: '<div id="field" contenteditable="true" style="min-height:20px;width:300px"></div>',
  }[composer];
  const button = send === 'enter' ? '' : '<button id="send" type="submit">Send</button>';
  const tag = send === 'form' ? 'form' : 'div';
  const body = `<h2>Clinic chat</h2><div id="messages"></div><div id="typing" class="typing-indicator" hidden>Assistant is typing…</div><${tag} id="composer">${field}${button}</${tag}><p id="ended" hidden>The agent has ended the conversation.</p><p>This is no emergency service.</p>`;
  return `<!doctype html><meta charset="utf-8"><title>Chat</title><input type="search" placeholder="Search the site"><div id="root"></div><script>
const look = ${JSON.stringify(look)}, conversation = ${JSON.stringify(randomUUID())}, api = ${JSON.stringify(api)};
const root = look.shadow ? document.getElementById('root').attachShadow({ mode: 'open' }) : document.getElementById('root');
root.innerHTML = ${JSON.stringify(body)};
const $ = (id) => root.querySelector('#' + id), field = $('field');
const messages = [];
let age = 0;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
function render() {
  if (look.rerenders) $('messages').replaceChildren();
  age += 1;
  messages.forEach((message, index) => {
    let node = $('messages').children[index];
    if (!node) {
      node = document.createElement('div');
      node.className = 'message ' + message.role;
      $('messages').append(node);
    }
    if (look.trusting && message.role === 'agent') {
      if (node.shownText === message.text) return;
      node.shownText = message.text;
      node.replaceChildren(document.createRange().createContextualFragment(message.text));
      return;
    }
    const text = look.rerenders ? message.text + '\\n' + (age - message.born) + ' changes ago' : message.text;
    if (node.innerText !== text) node.innerText = text;
  });
}
function add(role, text) {
  const message = { role, text, born: age + 1 };
  messages.push(message);
  render();
  return message;
}
async function say(text) {
  if (text.trim() === '') return;
  if (!look.hidesPatient) add('patient', text);
  const indicates = look.typing === 'indicator';
  $('typing').hidden = !indicates;
  const bubble = look.typing === 'bubble' ? add('agent', 'Assistant is typing…') : null;
  try {
    const response = await fetch(api + '/message', { method: 'POST', body: JSON.stringify({ conversation, text }) });
    if (!response.ok) return;
    const whole = await response.text();
    if (response.headers.get('${ENDED}')) { $('ended').hidden = false; $('composer').hidden = true; }
    if (whole === '') return;
    if (!look.wordPauseMs) {
      if (bubble) { bubble.text = whole; render(); } else add('agent', whole);
      return;
    }
    const message = bubble ?? add('agent', '');
    const words = whole.split(' ');
    for (let count = 1; count <= words.length; count += 1) {
      message.text = words.slice(0, count).join(' ');
      render();
      await pause(count === Math.ceil(words.length / 2) ? (look.longPauseMs ?? look.wordPauseMs) : look.wordPauseMs);
    }
  } catch {
    // Shown by nothing, as in many a page.
  } finally {
    $('typing').hidden = true;
  }
}
function submit() {
  const text = field.value ?? field.innerText;
  if ('value' in field) field.value = ''; else field.innerText = '';
  void say(text);
}
$('composer').addEventListener('submit', (event) => { event.preventDefault(); submit(); });
if ($('send') && $('composer').localName !== 'form') $('send').addEventListener('click', submit);
field.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || $('composer').localName === 'form' && field.localName === 'input') return;
  event.preventDefault();
  submit();
});
if (look.greeting) setTimeout(() => add('agent', look.greeting.text), look.greeting.afterMs);
</script>`;
}
