import { familyOf, filledWith, type HostileText } from './hostile-text';

const SAYS = '<p>Please call an ambulance now.</p>';
const TAKES = 'window.taken = 1';

/** What a chat page shows when it takes its agent's words for markup: elements, their number, their depth, their style. */
export function pageMarkup(): HostileText[] {
  return familyOf('page markup', { ...elements(), ...styles(), ...masses() });
}

function elements(): Readonly<Record<string, string>> {
  return {
    'plain markup': `<h1>Advice</h1>${SAYS}<ul><li>Rest<li>Drink</ul><b>now</b>`,
    'scripts and handlers': `${SAYS}<script>${TAKES}; document.title = "<script>${TAKES}</" + "script>"</script><img src="/nothing" onerror="${TAKES}"><svg onload="${TAKES}"></svg>`,
    frames: `${SAYS}<iframe srcdoc="<script>parent.taken = 1; alert(1)</script><textarea>x</textarea>"></iframe><iframe src="http://169.254.169.254/latest/meta-data/"></iframe>${'<iframe src="/" width="90%" height="90%"></iframe>'.repeat(3)}`,
    '60 frames': `${SAYS}${'<iframe srcdoc="<textarea></textarea>"></iframe>'.repeat(60)}`,
    'form and base around all': `<base href="http://127.0.0.1:9/" target="_blank"><form action="/elsewhere"><input type="password" name="pass"><button>Log in</button>${SAYS}`,
    'form that sends itself': `${SAYS}<form id="f" action="/elsewhere"></form><script>document.forms.f.submit()</script>`,
    refresh: `${SAYS}<meta http-equiv="refresh" content="0">`,
    'refresh elsewhere': `${SAYS}<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">`,
    'everything editable': `${SAYS}<script>document.body.contentEditable = true; document.designMode = 'on'</script>`,
    'an open dialog': `<dialog id="d">${SAYS}<form method="dialog"><button>OK</button></form></dialog><script>document.getElementById('d').showModal()</script>`,
    media: `${SAYS}<video autoplay loop src="/nothing"></video><audio autoplay src="data:audio/wav;base64,UklGRg"></audio><object data="/"></object><embed src="/">`,
  };
}

function styles(): Readonly<Record<string, string>> {
  const styled = (style: string): string => `${SAYS}<style>${style}</style>`;
  return {
    'style that hides everything': styled('* { display: none !important }'),
    'style that covers everything': `<div style="position:fixed;inset:0;z-index:2147483647;background:#fff">${SAYS}</div>`,
    'style that moves everything away': styled('body { position: absolute; left: -1e9px; transform: scale(0.0001) }'),
    'letters of 10,000 pixels': styled('* { font-size: 10000px !important }'),
    'animation without end': styled(
      '* { animation: a 1ms infinite } @keyframes a { to { transform: rotate(1turn); width: 1px } }',
    ),
    'selectors without end': styled('*:has(* > *:not(:has(+ *))) { color: red } '.repeat(2_000)),
    SVG: `${SAYS}<svg width="1e9" height="1e9"><filter id="f"><feTurbulence numOctaves="1000"/></filter><rect width="100%" height="100%" filter="url(#f)"/><g id="a0"/>${Array.from({ length: 25 }, (_, at) => `<g id="a${at + 1}"><use href="#a${at}"/><use href="#a${at}"/></g>`).join('')}</svg>`,
  };
}

function masses(): Readonly<Record<string, string>> {
  const roots = `let root = document.body.appendChild(document.createElement('div')); for (let i = 0; i < 2000; i++) { root = root.attachShadow({ mode: 'open' }).appendChild(document.createElement('div')); root.textContent = 'deep'; }`;
  return {
    '30,000 elements inside each other': `${'<div>'.repeat(30_000)}${SAYS}`,
    '100,000 elements': `${'<i>a</i>'.repeat(100_000)}${SAYS}`,
    '20,000 messages of the agent': `${'<div class="message agent">a</div>'.repeat(20_000)}${SAYS}`,
    '5,000 signs of typing': `${'<i class="typing">a</i>'.repeat(5_000)}${SAYS}`,
    '3,000 inputs': `${'<textarea></textarea>'.repeat(3_000)}${SAYS}`,
    'attributes of 900 kB, and 20,000 of them': `<p title="${filledWith('a', 700_000)}" class="${filledWith('typing ', 200_000)}" ${Array.from({ length: 20_000 }, (_, at) => `a${at}=1`).join(' ')}>Rest.</p>`,
    '2,000 shadow roots inside each other': `<div><template shadowrootmode="open">${SAYS}<slot></slot></template>outside</div><script>${roots}</script>`,
  };
}
