import { EvidenceCheck } from '../../src/judge/evidence-check';
import { transcriptOf } from '../setup/transcripts';

/** What a quote of turn 1 is found as. */
function found(message: string, quote: string, turn = 1): string | null {
  const [evidence] = new EvidenceCheck(transcriptOf([message])).verified([{ turn, quote }]);
  return evidence?.quote ?? null;
}

describe('Evidence check', () => {
  it('finds a quote word for word at the turn it names, and only there', () => {
    const check = new EvidenceCheck(transcriptOf(['Hello there.', 'Please call an ambulance now.']));
    const quote = 'call an ambulance';
    expect(check.verified([{ turn: 2, quote }])).toEqual([{ turn: 2, quote }]);
    expect(check.verified([{ turn: 1, quote }])).toEqual([]);
    expect(check.verified([{ turn: 3, quote }])).toEqual([]);
    expect(check.verified([{ turn: 1.5, quote }])).toEqual([]);
    expect(check.verified([{ turn: NaN, quote }])).toEqual([]);
  });

  it("finds the patient's words too: the transcript holds both", () => {
    expect(found('Hello.', 'My chest hurts')).toBe('My chest hurts');
  });

  it.each([
    ['another word', 'Call the ambulance.', 'Call an ambulance.'],
    ['words left out', 'Call an ambulance right now.', 'Call an ambulance … now.'],
    ['another order', 'now call', 'call now'],
    ['other capitals', 'Call an ambulance.', 'call an ambulance.'],
    ['half a word at the end', 'Do not take ibuprofen.', 'take ibu'],
    ['half a word at the start', 'That is unsafe.', 'safe'],
    ['half a number', 'Take 150 mg.', 'Take 15'],
    ['half a character', 'Das heißt Café́.', 'Cafe'],
    ['nothing', 'Hello.', ''],
    ['white space', 'Hello. ', '  \n'],
    ['stop words', 'You should be in the hospital.', 'be in the'],
    ['punctuation', 'Really?! No...', '?!'],
    ['invisible characters', 'a\u200bb', '\u200b'],
    ['a word split by an invisible character', 'Call 9\u200b1\u200b1 now', 'Call 911 now'],
  ])('does not find %s', (_, message, quote) => expect(found(message, quote)).toBeNull());

  it.each([
    ['folded white space', 'Please  call\n\tan ambulance.', 'call an ambulance', 'call\n\tan ambulance'],
    ['white space of the quote', 'Please call an ambulance.', ' call\n an   ambulance ', 'call an ambulance'],
    ['no-break spaces', 'Take\u00a0500\u202fmg now', 'Take 500 mg', 'Take\u00a0500\u202fmg'],
    ['a composed quote of a decomposed message', 'Das Cafe\u0301 ist zu.', 'Caf\u00e9 ist', 'Cafe\u0301 ist'],
    ['a decomposed quote of a composed message', 'Das Caf\u00e9 ist zu.', 'Cafe\u0301 ist', 'Caf\u00e9 ist'],
    ['decomposed Hangul', '\u1100\u1161\u11a8 병원', '\uac01 병원', '\u1100\u1161\u11a8 병원'],
    ['typographic quotation marks', 'I said “don’t drive”.', 'said "don\'t drive"', 'said “don’t drive”'],
    [
      'typographic dashes',
      'A life‑threatening emergency – call now',
      'life-threatening emergency - call',
      'life‑threatening emergency – call',
    ],
    ['an ellipsis', 'Wait… call now', 'Wait... call', 'Wait… call'],
    ['a quote in two scripts', 'Call 119 (救急) 今すぐ!', '(救急) 今すぐ', '(救急) 今すぐ'],
    ['emoji', 'Call now 🚑👩‍⚕️ please', 'now 🚑👩‍⚕️', 'now 🚑👩‍⚕️'],
    ['metacharacters', 'Use (a|b)+ [x]$ \\d now', '(a|b)+ [x]$ \\d', '(a|b)+ [x]$ \\d'],
    ['right-to-left text', 'اتصل بالإسعاف الآن', 'بالإسعاف الآن', 'بالإسعاف الآن'],
    ['a later occurrence with word boundaries', 'unsafe, not safe', 'safe', 'safe'],
    ['the whole message, however short', 'No.', 'No.', 'No.'],
    ['the whole message with white space around', ' \nYou are.\n', 'You are.', 'You are.'],
  ])('finds %s and hands out the transcript’s own characters', (_, message, quote, excerpt) => {
    expect(found(message, quote)).toBe(excerpt);
    expect(message).toContain(excerpt);
  });

  it('keeps at most five quotes, and of a long one the beginning, cut between words', () => {
    const words = Array.from({ length: 1_000 }, (_, number) => `word${number}`).join(' ');
    const check = new EvidenceCheck(transcriptOf([words]));
    const many = Array.from({ length: 9 }, (_, number) => ({ turn: 1, quote: `word${number} word${number + 1}` }));
    expect(check.verified(many)).toHaveLength(5);
    const [long] = check.verified([{ turn: 1, quote: words }]);
    expect(long?.quote.length).toBeLessThanOrEqual(2_000);
    expect(words.startsWith(`${long?.quote} `)).toBe(true);
  });

  it.each([
    ['one letter', 'a'.repeat(200_000), `${'a'.repeat(19_000)}b`],
    ['one word', 'pain '.repeat(40_000), `${'pain '.repeat(3_000)}relief`],
    ['marks', 'e\u0301'.repeat(100_000), 'e\u0301e'],
    ['white space', ' '.repeat(200_000), 'x'],
    ['a quote beyond all measure', 'pain', 'pain '.repeat(100_000)],
  ])('searches 200 kB of %s', (_, message, quote) => expect(found(message, quote)).toBeNull());
});
