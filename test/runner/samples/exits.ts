test('ends the process', () => process.exit(0));

test('hides that it does', () => {
  expect(() => process.exit(3)).toThrow();
});
