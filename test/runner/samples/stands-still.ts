test('never ends', () => {
  for (;;);
});
