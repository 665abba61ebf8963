import { familyOf, type HostileText } from './hostile-text';

const says = (text: string): string => `<p>Please call an ambulance now.</p><script>${text}</script>`;
/** Again and again, as long as the page lives. */
const always = (text: string, everyMs = 5): string => says(`setInterval(() => { ${text} }, ${everyMs})`);
const goes = (to: string): string => says(`setTimeout(() => { location.href = ${JSON.stringify(to)} }, 50)`);

/** What a chat page does that takes its agent's words for markup, and that hurts the browser, or whoever drives it. */
export function pageScripts(): HostileText[] {
  return familyOf('page scripts', { ...loops(), ...floods(), ...escapes(), ...lies() });
}

function loops(): Readonly<Record<string, string>> {
  return {
    'loop without end': says('while (true);'),
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
    'buffers without end': says('const all = []; setInterval(() => all.push(new Uint8Array(2e7).fill(1)), 50)'),
    'busy workers, and a debugger': says(
      `for (let i = 0; i < 10; i++) new Worker(URL.createObjectURL(new Blob(['const end = Date.now() + 5000; while (Date.now() < end);']))); setInterval(() => { debugger }, 50)`,
    ),
  };
}

function floods(): Readonly<Record<string, string>> {
  return {
    alerts: always('alert(1)'),
    'long alert': says(`setTimeout(() => alert('x'.repeat(3e7)), 100)`),
    'confirmations and prompts': says('setTimeout(() => { for (;;) { confirm(1); prompt(1); } }, 100)'),
    'windows, prints and questions before leaving': says(
      `setInterval(() => { window.open('/'); window.open('about:blank'); print() }, 50); addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'x'; })`,
    ),
    'history, titles and addresses of 1 MB': says(
      `for (let i = 0; i < 20000; i++) history.pushState(i, '', '?' + i); setInterval(() => { document.title = location.hash = 'x'.repeat(1e6) + Math.random() }, 50)`,
    ),
    'console and errors': says(
      `for (let i = 0; i < 50000; i++) console.log('line ' + i, { i }); setInterval(() => { console.error('x'.repeat(1e6)); Promise.reject('x'.repeat(1e6)) }, 20)`,
    ),
    'one line for no string': says(`console.log(String.fromCharCode(1).repeat(1.2e8))`),
    requests: says(
      `for (let i = 0; i < 1000; i++) { fetch('/flood?' + i).catch(() => 0); new Image().src = 'http://169.254.169.254/' + i }; for (let i = 0; i < 200; i++) { new WebSocket('ws://127.0.0.1:9/' + i); navigator.sendBeacon('http://169.254.169.254/', 'x') }`,
    ),
    'posts of 30 MB': always(`fetch('/flood', { method: 'POST', body: 'x'.repeat(3e7) }).catch(() => 0)`, 500),
    'downloads and choosers of files': always(
      `const a = document.createElement('a'); a.href = 'data:text/plain,x'; a.download = 'x.txt'; a.click(); const i = document.createElement('input'); i.type = 'file'; i.click()`,
      50,
    ),
    'permissions and storage': says(
      `Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => 0); document.documentElement.requestFullscreen().catch(() => 0); document.body.requestPointerLock(); try { for (let i = 0; ; i++) localStorage.setItem(i, 'x'.repeat(1e5)) } catch {}`,
    ),
  };
}

function escapes(): Readonly<Record<string, string>> {
  return {
    'goes nowhere': goes('about:blank'),
    'goes to a file': goes('file:///etc/passwd'),
    'goes to an inner page': goes('chrome://crash'),
    'goes to itself for ever': always('location.reload()', 50),
    'closes itself': says('window.close(); self.close()'),
    'writes itself anew': says(`setTimeout(() => { document.open(); document.write('<textarea></textarea>') }, 50)`),
    'removes itself': says('document.documentElement.remove()'),
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
    'texts that are none': says(
      `Object.defineProperty(HTMLElement.prototype, 'innerText', { get: () => ({ length: 1, slice: () => ({ length: 1 }) }) })`,
    ),
    'texts that fail': says(`Object.defineProperty(HTMLElement.prototype, 'innerText', { get() { throw 'no' } })`),
    'nothing is found': says(
      'Element.prototype.querySelectorAll = Document.prototype.querySelectorAll = () => { throw 1 }',
    ),
    'no time passes': says(
      'performance.now = Date.now = () => NaN; window.setTimeout = () => 0; window.requestAnimationFrame = () => 0',
    ),
    'everything has everything': says(
      `Object.prototype.then = () => 0; Object.prototype.toJSON = () => 'x'; Object.prototype.id = 1`,
    ),
    'no language at all': says(
      'window.Array = window.Map = window.Set = window.JSON = window.Object = window.Error = null',
    ),
  };
}
