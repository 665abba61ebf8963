// A plug-in of Stryker, which has no samples of its own: when it knows all mutants, some are chosen by a seed, and a checker sends the
// others away before they are tried. Loaded by its main process and by its workers, which share the choice in a file.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { CheckStatus } from '@stryker-mutator/api/check';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** The status reason of a mutant that was not chosen. */
export const NOT_CHOSEN = 'not in the sample';

const { MUTATION_SAMPLE: size = '', MUTATION_SEED: seed = '', MUTATION_CHOICE: file = '' } = process.env;

/** In an order that the seed alone decides. @param {string} id */
const place = (id) => createHash('sha256').update(`${seed} ${id}`).digest('hex');

const chooser = {
  /** @param {import('@stryker-mutator/api/report').MutationTestingPlanReadyEvent} event */
  onMutationTestingPlanReady({ mutantPlans }) {
    const tried = mutantPlans.filter(({ mutant }) => mutant.status !== 'Ignored').map(({ mutant }) => mutant.id);
    const ids = tried.sort((one, other) => (place(one) < place(other) ? -1 : 1));
    writeFileSync(file, JSON.stringify(size === '' ? ids : ids.slice(0, Number(size))));
  },
};

const checker = {
  init: async () => undefined,
  /** @param {import('@stryker-mutator/api/core').Mutant[]} mutants */
  group: async (mutants) => [mutants.map(({ id }) => id)],
  /** @param {import('@stryker-mutator/api/core').Mutant[]} mutants */
  async check(mutants) {
    const chosen = new Set(JSON.parse(readFileSync(file, 'utf8')));
    const sent = { status: CheckStatus.CompileError, reason: NOT_CHOSEN };
    return Object.fromEntries(mutants.map(({ id }) => [id, chosen.has(id) ? { status: CheckStatus.Passed } : sent]));
  },
};

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Reporter, 'sample', chooser),
  declareValuePlugin(PluginKind.Checker, 'sample', checker),
];
