import { ExaminerPool } from '../model/examiner-pool';
import type { Judge } from './judge';

/** The judges of this process; also the injection token. */
export class Judges extends ExaminerPool<Judge> {}
