test('changes what every text can do', () => {
  jest.spyOn(String.prototype, 'trim').mockReturnValue('spied');
  expect(' a '.trim()).toBe('spied');
});
