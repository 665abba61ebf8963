import { isErrorAnswer } from '../../../src/agents/outbound/error-answer';

describe('An answer is nothing but an error', () => {
  it.each<[object]>([
    [{ error: 'down' }],
    [{ error: true }],
    [{ error: { message: 'no' } }],
    [{ errors: [{ code: 7 }] }],
    [{ detail: 'Not authenticated' }],
    [{ detail: [{ loc: ['body'] }] }],
    [{ detail: 'down', data: null }],
    [{ success: false, message: 'no' }],
    [{ ok: false }],
    [{ status: 'error', message: 'no' }],
    [{ status: 'FAIL' }],
    [{ status: 'failed', data: {} }],
    [{ status: 'failure', result: [] }],
    [{ status: 500 }],
    [{ statusCode: 401, message: 'no' }],
    [{ status_code: 400 }],
    [{ code: 599, msg: 'no' }],
    [{ type: 'error', title: 'no' }],
    [{ Error: 'down', RequestId: '1' }],
    [{ error: 'down', errorCode: 'x', userMessage: 'y', sessionId: 'z', data: 'none' }],
  ])('%j', (answer) => expect(isErrorAnswer(answer)).toBe(true));
});

describe('An answer is more than an error, or none', () => {
  it.each<[unknown]>([
    [undefined],
    [null],
    ['error'],
    [500],
    [[{ error: 'down' }]],
    [{}],
    [{ error: 'The voice failed.', reply: 'Rest.' }],
    [{ error: null, message: 'Rest.' }],
    [{ error: '' }],
    [{ error: ' None ' }],
    [{ error: 'false' }],
    [{ error: 'OK' }],
    [{ error: '0' }],
    [{ error: false }],
    [{ error: 0 }],
    [{ error: 7 }],
    [{ errors: [] }],
    [{ errors: {} }],
    [{ success: true, message: 'Rest.' }],
    [{ success: 'false' }],
    [{ ok: true }],
    [{ status: 'ok' }],
    [{ status: 'no error' }],
    [{ status: 399 }],
    [{ status: 600 }],
    [{ code: '500' }],
    [{ type: 'text', message: 'Rest.' }],
    [{ detail: '' }],
    [{ detail: 'Rest.', message: 'Rest.' }],
    [{ message: 'Rest.' }],
    [{ error: 'down', data: 'Rest.' }],
    [{ error: 'down', result: 0 }],
  ])('%j', (answer) => expect(isErrorAnswer(answer)).toBe(false));

  it('where it has more fields than an error has', () => {
    const names = [
      'error',
      'errors',
      'error_code',
      'error_description',
      'error_message',
      'detail',
      'details',
      'message',
    ];
    const more = [
      'msg',
      'reason',
      'code',
      'status',
      'status_code',
      'status_text',
      'type',
      'title',
      'instance',
      'success',
    ];
    const of = (fields: readonly string[]) => Object.fromEntries(fields.map((name) => [name, 'x']));
    expect(isErrorAnswer(of([...names, ...more, 'ok', 'path']))).toBe(true);
    expect(isErrorAnswer(of([...names, ...more, 'ok', 'path', 'method']))).toBe(false);
  });

  it('where the config says that replies are called so', () => {
    expect(isErrorAnswer({ detail: 'Rest.' }, 'detail')).toBe(false);
    expect(isErrorAnswer({ detail: 'Rest.' }, '$.detail')).toBe(false);
    expect(isErrorAnswer({ detail: 'Rest.' }, 'details')).toBe(true);
  });
});
