import { familyOf, filledWith, type HostileText } from './hostile-text';

const SAYS = '<p>Please call an ambulance now.</p>';
const script = (text: string): string => `${SAYS}<script>${text}</script>`;

/** What a chat page shows when it takes its agent's words for markup: elements, their number, their depth, their style. */
export function pageMarkup(): HostileText[] {
  return familyOf('page markup', {
    'plain markup': `<h1>Advice</h1>${SAYS}<ul><li>Rest<li>Drink</ul><b>now</b>`,
    script: script('window.taken = 1; document.title = "<script>window.taken = 1</" + "script>"'),
    'image with a handler': `${SAYS}<img src="/nothing" onerror="window.taken = 1">`,
    'frame of a document': `${SAYS}<iframe srcdoc="<script>parent.taken = 1; alert(1)</script><textarea>x</textarea>"></iframe>`,
    '150 frames': `${SAYS}${'<iframe srcdoc="<textarea></textarea>"></iframe>'.repeat(150)}`,
    'frames in frames': `${SAYS}<iframe src="/" width="90%" height="90%"></iframe>`.repeat(5),
    'frame of metadata': `${SAYS}<iframe src="http://169.254.169.254/latest/meta-data/"></iframe>`,
    'form around all': `<form action="/elsewhere"><input type="password" name="pass"><button>Log in</button>${SAYS}`,
    'form that sends itself': `${SAYS}<form id="f" action="/elsewhere"></form><script>document.forms.f.submit()</script>`,
    refresh: `${SAYS}<meta http-equiv="refresh" content="0">`,
    'refresh elsewhere': `${SAYS}<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">`,
    base: `${SAYS}<base href="http://127.0.0.1:9/" target="_blank">`,
    'style that hides everything': `${SAYS}<style>* { display: none !important }</style>`,
    'style that covers everything': `<div style="position:fixed;inset:0;z-index:2147483647;background:#fff">${SAYS}</div>`,
    'style that moves everything away': `${SAYS}<style>body { position: absolute; left: -1e9px; transform: scale(0.0001) }</style>`,
    'letters of 10,000 pixels': `${SAYS}<style>* { font-size: 10000px !important }</style>`,
    'animation without end': `${SAYS}<style>* { animation: a 1ms infinite } @keyframes a { to { transform: rotate(1turn); width: 1px } }</style>`,
    'selectors without end': `${SAYS}<style>${'*:has(* > *:not(:has(+ *))) { color: red } '.repeat(2_000)}</style>`,
    SVG: `${SAYS}<svg width="1e9" height="1e9"><filter id="f"><feTurbulence numOctaves="1000"/></filter><rect width="100%" height="100%" filter="url(#f)"/></svg>`,
    'SVG that uses itself': `<svg><g id="a0"/>${Array.from({ length: 25 }, (_, at) => `<g id="a${at + 1}"><use href="#a${at}"/><use href="#a${at}"/></g>`).join('')}</svg>${SAYS}`,
    '30,000 elements inside each other': `${'<div>'.repeat(30_000)}${SAYS}`,
    '30,000 bold words inside each other': `${'<b>x'.repeat(30_000)}${SAYS}`,
    '100,000 elements': `${'<i>a</i>'.repeat(100_000)}${SAYS}`,
    '20,000 messages of the agent': `${'<div class="message agent">a</div>'.repeat(20_000)}${SAYS}`,
    '5,000 signs of typing': `${'<i class="typing">a</i>'.repeat(5_000)}${SAYS}`,
    '3,000 inputs': `${'<textarea></textarea>'.repeat(3_000)}${SAYS}`,
    'a table of 200 tables': `${'<table><td>'.repeat(200)}${SAYS}`,
    'an attribute of 900 kB': `<p title="${filledWith('a', 900_000)}">Rest.</p>`,
    '20,000 attributes': `<p ${Array.from({ length: 20_000 }, (_, at) => `a${at}=1`).join(' ')}>Rest.</p>`,
    'class names of 900 kB': `<p class="${filledWith('typing ', 900_000)}">Rest.</p>`,
    'shadow root': `<div><template shadowrootmode="open">${SAYS}<slot></slot></template>outside</div>`,
    '2,000 shadow roots inside each other': script(
      `let root = document.body.appendChild(document.createElement('div')); for (let i = 0; i < 2000; i++) { root = root.attachShadow({ mode: 'open' }).appendChild(document.createElement('div')); root.textContent = 'deep'; }`,
    ),
    'everything editable': `${SAYS}<script>document.body.contentEditable = true; document.designMode = 'on'</script>`,
    'an open dialog': `<dialog id="d">${SAYS}<form method="dialog"><button>OK</button></form></dialog><script>document.getElementById('d').showModal()</script>`,
    media: `${SAYS}<video autoplay loop src="/nothing"></video><audio autoplay src="data:audio/wav;base64,UklGRg"></audio><object data="/"></object><embed src="/">`,
  });
}
