import { familyOf, type HostileText } from './hostile-text';

const says = (text: string): string => `<p>Please call an ambulance now.</p><script>${text}</script>`;
/** Again and again, as long as the page lives. */
const always = (text: string, everyMs = 5): string => says(`setInterval(() => { ${text} }, ${everyMs})`);

/** What a chat page does that takes its agent's words for markup, and that hurts the browser, or whoever drives it. */
export function pageScripts(): HostileText[] {
  const scripts = { ...loops(), ...floods(), ...escapes(), ...lies() };
  return familyOf('page scripts', Object.fromEntries(Object.entries(scripts).map(([name, text]) => [name, text])));
}

function loops(): Readonly<Record<string, string>> {
  return {
    'loop without end': says('while (true);'),
    'loop without end, later': says('setTimeout(() => { while (true); }, 400)'),
    'regular expression without end': says(`/^(a+)+$/.test('a'.repeat(40) + 'b')`),
    'recursion without end': says('(function f() { f(); f(); })()'),
    'promises without end': says('(async () => { for (;;) await null; })()'),
    'layout without end': always(`document.body.style.width = Math.random() * 900 + 'px'; document.body.offsetWidth`),
    'changes that watch themselves': says(
      `new MutationObserver(() => document.body.append('.')).observe(document, { subtree: true, childList: true }); document.body.append('.')`,
    ),
    'text that never rests': always(
      `[...document.querySelectorAll('.message.agent')].at(-1).append(String(Math.random()))`,
      40,
    ),
    'elements without end': always(
      `for (let i = 0; i < 1000; i++) document.body.append(document.createElement('div'))`,
    ),
    'memory without end': says('const all = []; setInterval(() => all.push(new Array(1e6).fill(Math.random())), 5)'),
    'a string that doubles': says(`let s = 'x'; setInterval(() => { s += s; document.title = s.length }, 5)`),
    'buffers without end': says('const all = []; setInterval(() => all.push(new Uint8Array(2e7).fill(1)), 50)'),
    '50 busy workers': says(
      `for (let i = 0; i < 50; i++) new Worker(URL.createObjectURL(new Blob(['const end = Date.now() + 9000; while (Date.now() < end);'])))`,
    ),
    debugger: always('debugger'),
  };
}

function floods(): Readonly<Record<string, string>> {
  return {
    alerts: always('alert(1)'),
    'long alert': says(`setTimeout(() => alert('x'.repeat(3e7)), 100)`),
    'confirmations and prompts': says('setTimeout(() => { for (;;) { confirm(1); prompt(1); } }, 100)'),
    'question before leaving': says(
      `addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'x'; })`,
    ),
    windows: always(`window.open('/'); window.open('about:blank')`, 50),
    prints: always('print()', 100),
    history: says(`for (let i = 0; i < 50000; i++) history.pushState(i, '', '?' + i)`),
    'addresses of 1 MB': always(`location.hash = 'x'.repeat(1e6) + Math.random()`, 50),
    titles: always(`document.title = 'x'.repeat(1e6) + Math.random()`),
    'console of many lines': says(`for (let i = 0; i < 100000; i++) console.log('line ' + i, { i })`),
    'console of long lines': always(`console.error('x'.repeat(2e7))`, 200),
    'one line for no string': says(`console.log(String.fromCharCode(1).repeat(1.2e8))`),
    errors: always(`setTimeout(() => { throw 'x'.repeat(1e6) }); Promise.reject('x'.repeat(1e6))`, 20),
    requests: says(`for (let i = 0; i < 3000; i++) fetch('/flood?' + i).catch(() => 0)`),
    'requests that are refused': says(
      `for (let i = 0; i < 500; i++) { fetch('http://169.254.169.254/' + i).catch(() => 0); navigator.sendBeacon('http://169.254.169.254/', 'x') }`,
    ),
    'posts of 30 MB': always(`fetch('/flood', { method: 'POST', body: 'x'.repeat(3e7) }).catch(() => 0)`, 500),
    sockets: says(`for (let i = 0; i < 300; i++) new WebSocket('ws://127.0.0.1:9/' + i)`),
    downloads: always(
      `const a = document.createElement('a'); a.href = 'data:text/plain,x'; a.download = 'x.txt'; a.click()`,
      20,
    ),
    'choosers of files': always(`const i = document.createElement('input'); i.type = 'file'; i.click()`, 50),
    permissions: says(
      `Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => 0); navigator.mediaDevices?.getUserMedia({ video: true }).catch(() => 0); document.documentElement.requestFullscreen().catch(() => 0); document.body.requestPointerLock()`,
    ),
    storage: says(`try { for (let i = 0; ; i++) localStorage.setItem(i, 'x'.repeat(1e5)) } catch {}`),
  };
}

function escapes(): Readonly<Record<string, string>> {
  const goes = (to: string): string => says(`setTimeout(() => { location.href = ${JSON.stringify(to)} }, 50)`);
  return {
    'goes nowhere': goes('about:blank'),
    'goes to a file': goes('file:///etc/passwd'),
    'goes to an inner page': goes('chrome://crash'),
    'goes to data': goes('data:text/html,<textarea></textarea>'),
    'goes to a script': goes(`javascript:document.write('<textarea></textarea>')`),
    'goes to itself for ever': always('location.reload()', 50),
    'closes itself': says('window.close(); self.close()'),
    'writes itself anew': says(`setTimeout(() => { document.open(); document.write('<textarea></textarea>') }, 50)`),
    'removes itself': says('document.documentElement.remove()'),
    'steals the focus': always(`document.querySelector('[type=search]').focus()`),
    'moves the input away': always(
      `document.getElementById('field')?.replaceWith(document.createElement('textarea'))`,
      30,
    ),
  };
}

/** Changes what the language itself does, which whoever reads the page relies on. */
function lies(): Readonly<Record<string, string>> {
  return {
    'lists that are none': says('Array.prototype.map = () => ({}); Array.prototype.slice = () => null'),
    'lists of everything else': says(`Array.prototype.map = () => [null, 7, {}, [], () => 1, Symbol(), 'Rest.']`),
    'lists without end': says('Array.prototype.map = () => new Array(3e6).fill("x")'),
    'lists inside lists': says(
      'Array.prototype.map = () => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a }',
    ),
    'a text of 120 MB': says(`Array.prototype.map = () => [String.fromCharCode(1).repeat(1.2e8)]`),
    'texts that are none': says(
      `Object.defineProperty(HTMLElement.prototype, 'innerText', { get: () => ({ length: 1, slice: () => ({ length: 1 }) }) })`,
    ),
    'texts that fail': says(`Object.defineProperty(HTMLElement.prototype, 'innerText', { get() { throw 'no' } })`),
    'texts that take for ever': says(
      `Object.defineProperty(HTMLElement.prototype, 'innerText', { get() { for (;;); } })`,
    ),
    'nothing is visible': says('Element.prototype.checkVisibility = () => { throw 1 }'),
    'nothing is found': says(
      'Element.prototype.querySelectorAll = Document.prototype.querySelectorAll = () => { throw 1 }',
    ),
    'no time passes': says(
      'performance.now = Date.now = () => NaN; window.setTimeout = () => 0; window.requestAnimationFrame = () => 0',
    ),
    'promises that never come': says('Promise.prototype.then = () => new Promise(() => 0); window.Promise = null'),
    'everything has everything': says(
      `Object.prototype.then = () => 0; Object.prototype.toJSON = () => 'x'; Object.prototype.id = 1`,
    ),
    'no language at all': says(
      'window.Array = window.Map = window.Set = window.JSON = window.Object = window.Error = null',
    ),
  };
}
