import fc from 'fast-check';
import { Fifo } from '../../../src/engine/bus/work-queue';

it('gives what was put in first, as an array does', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat())), (steps) => {
      const fifo = new Fifo<number>();
      const array: number[] = [];
      for (const step of steps) {
        if (step === null) expect(fifo.shift()).toBe(array.shift());
        else {
          fifo.push(step);
          array.push(step);
        }
      }
      while (array.length > 0) expect(fifo.shift()).toBe(array.shift());
      expect(fifo.shift()).toBeUndefined();
    }),
  );
});
