/**
 * The judge, which marks a transcript against the rubric: a language model or offline rules behind the port `Judge`. `examine`
 * asks it as often as the votes need, puts controls among the questions, and records what was asked and answered.
 */

// The port, and those that this process can provide.
export { Judge, Judges, JudgeError, type JudgeErrorKind } from './judge';
export { OfflineJudge } from './offline.judge';
export { JudgeModule } from './judge.module';

// One examination and its record.
export { examine } from './examine';
export type { ExaminationRecord } from './examination-record';
