import type { Command } from 'commander';
import { printAgreement } from '../agreement/print-agreement';
import { getAgreement } from '../connection/agreement-calls';
import { findRun } from '../named-resources';
import { percentage } from '../option-values';
import type { Host, Session } from '../session';

const EXAMPLES = `
Only conversations that were reviewed without seeing the judge's marks count; the page has a review queue for each run.
Intervals are drawn conversation by conversation. κ alone misleads where nearly everything is met, so AC1 is shown too.

Examples:
  $ osce agreement
  $ osce agreement latest
  $ osce agreement --judge claude-sonnet-5 --tag must_pass --json`;

interface AgreementOptions {
  readonly judge?: string;
  readonly tag?: string;
  readonly confidence?: number;
  readonly sample?: number;
}

export function addAgreementCommand(program: Command, host: Host): void {
  program
    .command('agreement')
    .argument('[run]', 'only conversations of this run: id, label or latest; all runs by default')
    .summary('show how far the judge and the reviewers agree')
    .description(
      'Show how far the judge and the people who reviewed its marks agree, and the pass rate without its errors.',
    )
    .option('--judge <name>', 'only what this judge marked: its name, its model or the version of its prompts')
    .option('--tag <tag>', 'only criteria with this tag')
    .option(
      '--confidence <percent>',
      'confidence level of the intervals, from 50 to below 100 (default 95)',
      percentage,
    )
    .option('--sample <percent>', 'random sample that the review queue was asked for (default 10)', percentage)
    .addHelpText('after', EXAMPLES)
    .action((run: string | undefined, options: AgreementOptions, command: Command) =>
      host.run(command, (session) => show(session, run, options)),
    );
}

async function show(
  { api, output }: Session,
  named: string | undefined,
  { judge, tag, confidence, sample }: AgreementOptions,
): Promise<void> {
  const testRunId = named === undefined ? undefined : (await findRun(api, named)).id;
  const agreement = await getAgreement(api, { testRunId, judge, tag, confidence, sample });
  output.answer(agreement, (screen) => printAgreement(screen, agreement));
}
