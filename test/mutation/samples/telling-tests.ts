test('tells which process runs it', () => {
  throw new Error(`process ${process.pid}`);
});
