/** Runs of several agents or versions over the same conversations: started, canceled, shown and compared together. */

export { RunSetsStore } from './run-sets.store';
