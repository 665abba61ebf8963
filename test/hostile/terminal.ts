import { familyOf, type HostileText } from './hostile-text';

const ESC = '\u001b';
const BEL = '\u0007';
const ST = `${ESC}\\`;

/** What a terminal obeys instead of showing. */
export function terminal(): HostileText[] {
  return familyOf('terminal', {
    colour: `${ESC}[31mred${ESC}[0m`,
    'colour without end': `${ESC}[31;5;7m`,
    'clear the screen': `${ESC}[2J${ESC}[H`,
    'clear what was scrolled': `${ESC}[3J`,
    'line up and write over': `not passed${ESC}[1A${ESC}[2Kpassed`,
    'write over with a return': 'failed\rpassed',
    'write over with backspaces': `failed${'\b'.repeat(6)}passed`,
    title: `${ESC}]0;root@production${BEL}`,
    'title, other end': `${ESC}]2;root@production${ST}`,
    link: `${ESC}]8;;http://evil.example/${ST}docs${ESC}]8;;${ST}`,
    clipboard: `${ESC}]52;c;cmVib290Cg==${BEL}`,
    'answer to a question': `${ESC}[6n${ESC}[c${ESC}[21t`,
    'alternate screen': `${ESC}[?1049h`,
    'hidden cursor': `${ESC}[?25l`,
    'bracketed paste': `${ESC}[?2004l${ESC}[200~reboot\n${ESC}[201~`,
    'mouse reports': `${ESC}[?1003h`,
    'device control': `${ESC}P+q544e${ST}`,
    'application command': `${ESC}_evil${ST}`,
    'privacy message': `${ESC}^evil${ST}`,
    sixel: `${ESC}Pq#0;2;0;0;0#0~~${ST}`,
    'inline file': `${ESC}]1337;File=inline=1:AAAA${BEL}`,
    notification: `${ESC}]9;your build failed${BEL}${ESC}]777;notify;a;b${BEL}`,
    reset: `${ESC}c`,
    'other character set': `${ESC}(0lqqqk${ESC}(B`,
    'eight-bit control': '\u009b31mred\u009b0m\u009d0;title\u009c',
    'printing to a printer': `${ESC}[5i reboot ${ESC}[4i`,
    'a million columns': `${ESC}[999999999C${ESC}[2147483648b`,
    'sequence without end': `${ESC}[${'1;'.repeat(20_000)}`,
    'title without end': `${ESC}]0;${'a'.repeat(50_000)}`,
    bells: BEL.repeat(20_000),
    '20,000 colours': `${ESC}[31m`.repeat(10_000),
    'shift out': '\u000e\u000flqqqk',
  });
}
