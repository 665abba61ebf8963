const { createHash } = require('node:crypto');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Files are run in another order each time, and in the same one for the same `--seed`, whatever else is run: none may rest on what
 * another has left in the modules that they share. With `showSeed` Jest prints the seed.
 */
module.exports = class RandomOrder extends Sequencer {
  constructor(options) {
    super(options);
    this.seed = options.globalConfig.seed;
  }

  sort(tests) {
    const place = ({ path, context }) =>
      createHash('sha1')
        .update(`${this.seed} ${path.slice(context.config.rootDir.length)}`)
        .digest('hex');
    const placed = [...tests].map((test) => ({ test, place: place(test) }));
    return placed.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ test }) => test);
  }
};
