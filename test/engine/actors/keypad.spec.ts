import { USUAL_PATIENT } from '../../../src/domain';
import { Keypad, messageOf, patientTurn } from '../../../src/engine/actors/keypad';
import { exchangesOf } from '../../setup/transcripts';

const MENU = 'Welcome. Press 1 for appointments, or 2 for advice.';

const english = (...entries: readonly (readonly [when: string, press: string])[]) =>
  new Keypad(
    entries.map(([when, press]) => ({ when, press })),
    'en',
  );

describe('a keypad', () => {
  it.each([
    ['Press 1 for appointments.', 'press 1'],
    ['For appointments, press one.', 'Press 1'],
    ['press… ONE, please', 'press one'],
    ['Please type your date of birth (8 digits).', 'date of birth eight digits'],
  ])('is used when the agent has said %j', (reply, when) => {
    expect(english([when, '1']).next({ greeting: reply, history: [] })).toBe('1');
    expect(english([when, '1']).next({ greeting: null, history: exchangesOf([['Hello.', reply]]) })).toBe('1');
  });

  it.each([
    ['Press 10 for the ward.', 'press 1'],
    ['How can I help you?', 'press 1'],
    ['', 'press 1'],
    ['Press 1.', '…'],
    ['', '…'],
    [`${'Please wait. '.repeat(400)}Press 1.`, 'press 1'],
  ])('is not used when it has said %j', (reply, when) => {
    expect(english([when, '1']).next({ greeting: reply, history: [] })).toBeNull();
  });

  it('goes by the last reply alone', () => {
    const history = exchangesOf([['Hello.', 'How can I help you?']]);
    expect(english(['press 1', '1']).next({ greeting: MENU, history })).toBeNull();
  });

  it('uses each entry once, the first that fits', () => {
    const keypad = english(['press 1', '1'], ['advice', '2'], ['press 1', '1w1']);
    const history = exchangesOf([
      ['[presses 1]', MENU],
      ['[presses 2]', MENU],
      ['[presses 1 1]', MENU],
    ]);
    const nextAfter = (turns: number) => keypad.next({ greeting: MENU, history: history.slice(0, turns) });
    expect([0, 1, 2, 3].map(nextAfter)).toEqual(['1', '2', '1w1', null]);
  });

  it('has not used what was not pressed', () => {
    const history = exchangesOf([['I would like an appointment.', MENU]]);
    expect(english(['press 1', '1']).next({ greeting: MENU, history })).toBe('1');
  });

  it('reads numbers in other languages as they are written', () => {
    const keypad = new Keypad([{ when: 'Drücken Sie die 1', press: '1' }], 'de');
    expect(keypad.next({ greeting: 'Bitte drücken Sie die 1.', history: [] })).toBe('1');
    expect(keypad.next({ greeting: 'Bitte drücken Sie die eins.', history: [] })).toBeNull();
  });

  it('leaves the one who plays the patient a conversation without keys', () => {
    const keypad = english(['press 1', '1'], ['date of birth', '15w03']);
    const history = exchangesOf([
      ['[presses 1]', 'What is the matter?'],
      ['My chest hurts.', 'Type your date of birth.'],
      ['[presses 15 03]', 'Thank you. Since when?'],
    ]);
    expect(keypad.withoutKeys({ greeting: MENU, history })).toEqual({
      greeting: `${MENU}\n(On the keypad you entered 1.)\nWhat is the matter?`,
      history: [
        {
          ...history[1],
          agentMessage: 'Type your date of birth.\n(On the keypad you entered 15 03.)\nThank you. Since when?',
        },
      ],
    });
    expect(english().withoutKeys({ greeting: MENU, history })).toEqual({ greeting: MENU, history });
  });

  it('tells of keys in a line of their own, and of silence nothing', () => {
    const history = exchangesOf([
      ['Hello?', 'Press 1.'],
      ['[presses 1]', ''],
    ]);
    expect(english(['press 1', '1']).withoutKeys({ greeting: null, history })).toEqual({
      greeting: null,
      history: [{ ...history[0], agentMessage: 'Press 1.\n(On the keypad you entered 1.)' }],
    });
  });
});

it.each([
  ['1', '[presses 1]'],
  ['w1ww2#', '[presses 1 2#]'],
])('the turn in which %s is pressed reads %s', (press, message) => {
  expect(messageOf(press)).toBe(message);
});

describe('the turn of a spoken patient', () => {
  const turnOf = (speech: object, history = exchangesOf([['Hello.', '']])) =>
    patientTurn(
      { scenario: { name: 'A menu', content: { speech }, rubric_criteria: [] }, patient: USUAL_PATIENT },
      { greeting: MENU, history },
    );

  it('presses what the scenario says', () => {
    expect(turnOf({ keypad: [{ when: 'press one', press: '1' }] }, []).keys).toBe('1');
  });

  it('is without keys where the scenario has none, and hears silence where nothing was audible', () => {
    const { keys, heard } = turnOf({});
    expect(keys).toBeNull();
    expect(heard).toMatchObject({ greeting: MENU, history: [{ patientMessage: 'Hello.', agentMessage: '…' }] });
    const history = exchangesOf([['Hello.', 'What is the matter?']]);
    expect(turnOf({}, history).heard).toEqual({ greeting: MENU, history });
  });
});
