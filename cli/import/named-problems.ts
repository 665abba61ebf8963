import { UsageFailure } from '../failure';
import { oneLine, shortened } from '../output/harmless-text';
import type { Output } from '../output/terminal';
import type { ImportProblem } from './entry';

/** More are counted, not listed. */
export const MOST_LISTED = 50;

/** Prints the problems, each with file and line. */
export function nameProblems(output: Output, problems: readonly ImportProblem[]): void {
  for (const { where, problem } of problems.slice(0, MOST_LISTED)) {
    output.remark(`${oneLine(where)}: ${shortened(problem, 1_000)}`);
  }
  if (problems.length > MOST_LISTED) output.remark(`and ${problems.length - MOST_LISTED} more problems.`);
}

/** @throws UsageFailure when there is any problem */
export function refuseProblems(output: Output, problems: readonly ImportProblem[], sentence: string): void {
  nameProblems(output, problems);
  if (problems.length > 0) throw new UsageFailure(sentence);
}

/** Symbolic links are not followed, since they may lead anywhere. */
export function warnOfLinks(output: Output, links: readonly string[]): void {
  for (const link of links.slice(0, MOST_LISTED)) output.warn(`${link} is a symbolic link and is left out.`);
  if (links.length > MOST_LISTED) output.warn(`${links.length - MOST_LISTED} more symbolic links are left out.`);
}
