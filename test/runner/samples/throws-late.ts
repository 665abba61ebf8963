afterAll(() => {
  setTimeout(() => {
    throw new Error('thrown after the last test');
  }, 20);
  setTimeout(() => void Promise.reject(new Error('rejected after the last test')), 40);
});

test('passes', () => {
  expect(1 + 1).toBe(2);
});
