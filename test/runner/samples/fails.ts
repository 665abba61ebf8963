jest.setTimeout(300);

test('takes too long', () => new Promise(() => undefined));

test('throws outside of any call', async () => {
  setTimeout(() => {
    throw new Error('from a timer');
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
});

test('asks for a mock', () => {
  jest.mock('node:fs');
});
