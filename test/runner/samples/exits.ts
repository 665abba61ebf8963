test('ends the process', () => process.exit(0));
