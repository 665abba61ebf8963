import { ExaminerPool } from '../model/examiner-pool';
import type { Tester } from './tester';

/** The testers of this process; also the injection token. */
export class Testers extends ExaminerPool<Tester> {}
