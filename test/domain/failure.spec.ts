import { boundedFailure, EffectFailed, failureOf } from '../../src/domain/failure';
import { LONGEST_SENTENCE } from '../../src/domain/sentence';

describe('why a scenario run ended in error', () => {
  it('is what an effect says, where it knows', () => {
    const error = new EffectFailed({ code: 'auth_failed', message: 'The agent refused the key.' });
    expect(error.message).toBe('The agent refused the key.');
    expect(failureOf(error)).toEqual({ code: 'auth_failed', message: 'The agent refused the key.' });
  });

  it('is a sentence of bounded length, whatever an agent or a library put into it', () => {
    const failure = { code: 'provider_error', message: 'The agent answered: '.padEnd(100_000, 'very ') } as const;
    const bounded = boundedFailure(failure);
    expect(bounded.code).toBe('provider_error');
    expect(bounded.message).toMatch(/^The agent answered: very /);
    expect(bounded.message.length).toBeLessThanOrEqual(LONGEST_SENTENCE);
    const error = new EffectFailed(failure);
    expect(error.failure).toEqual(bounded);
    expect(error.message).toBe(bounded.message);
  });

  it.each([new TypeError('secret-key is not a function'), 'a text', undefined])(
    'tells nothing of an error that nobody expected (%p)',
    (error) => {
      expect(failureOf(error)).toEqual({
        code: 'internal',
        message: 'The harness met an unexpected error; its log names the cause.',
      });
    },
  );
});
