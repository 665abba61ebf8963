const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * What a spec imports that takes longest: it starts services, database servers or NATS servers, tries thousands of long texts, or plays
 * the whole library.
 */
const TAKES_LONG =
  /(setup\/(service-process|traced-service|embedded-postgres|describe-with-nats|examine-offline)|fuzz\/growth)'/;

/**
 * Files are run in another order each time, and in the same one for the same `--seed`, whatever else is run: none may rest on what
 * another has left in the modules that they share. With `showSeed` Jest prints the seed. Those that take long come before the
 * others, lest one of them be left for a single worker at the end.
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
    const placed = [...tests].map((test) => ({ test, place: `${takesLong(test) ? 0 : 1} ${place(test)}` }));
    return placed.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ test }) => test);
  }
};

function takesLong({ path }) {
  try {
    return TAKES_LONG.test(readFileSync(path, 'utf8'));
  } catch {
    // Gone since Jest looked for files: it will say so itself.
    return false;
  }
}
