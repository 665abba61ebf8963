/**
 * How far a judge can be trusted: labelled transcripts, marked by it in the background and compared with their labels.
 */

export { CalibrationsModule } from './calibrations.module';
export { CalibrationsStore } from './calibrations.store';
