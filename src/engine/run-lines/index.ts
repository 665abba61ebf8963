/** What the service’s log says of runs: the process that commits a change logs it, once. */

export { RunLinesModule } from './run-lines';
