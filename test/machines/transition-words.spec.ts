import { nameOf } from '../../machines/transition-words';

describe('the name of a part of a chart', () => {
  it('is the part itself, or its type', () => {
    expect(nameOf('isPassed')).toBe('isPassed');
    expect(nameOf({ type: 'noteStatus', params: {} })).toBe('noteStatus');
  });

  it.each([null, undefined, {}, { type: 1 }, () => true])('is missed in %p', (part) => {
    expect(() => nameOf(part)).toThrow('Every guard and action of a chart has a name.');
  });
});
