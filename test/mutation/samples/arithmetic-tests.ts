import { answer, countTo, larger, WHEN_LOADED } from './arithmetic';

let greeting = '';

test('the larger of two numbers', () => {
  greeting = 'good morning';
  expect(larger(1, 2)).toBe(2);
  expect(larger(4, 3)).toBe(4);
});

test('a count', () => {
  expect(countTo(3)).toBe(3);
});

test('what is kept, after the first test', () => {
  expect(greeting).toBe('good morning');
  expect(answer()).toBe(42);
});

test('what is evaluated when the file is loaded', () => {
  expect(WHEN_LOADED).toBe(4);
});
