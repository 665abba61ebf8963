import { Option, type Command } from 'commander';
import { forkScenarioRun, regradeRun, retryRun } from '../connection/derived-run-calls';
import { findAgent, findRun } from '../named-resources';
import { numberOfTrials, positiveInteger } from '../option-values';
import { oneLine } from '../output/harmless-text';
import type { Host } from '../session';
import { addFollowOptions, followDerived, type FollowOptions } from '../watch/derived-run';

const EXIT_CODES = `
The run that it begins from stays as it is. Exit codes are those of osce run; Ctrl-C cancels the new run.
`;

export function addRetryCommand(program: Command, host: Host): void {
  addFollowOptions(program.command('retry <run>'))
    .summary('run the errors of a run again')
    .description('Start a run that keeps the verdicts of another run, and repeats what ended in error or was canceled.')
    .addHelpText('after', `${EXIT_CODES}\nExample:\n  $ osce retry latest --fail-under 85`)
    .action((run: string, options: FollowOptions, command: Command) =>
      host.run(command, async (session) => {
        const { id, test_run_id } = await findRun(session.api, run);
        return followDerived(session, options, `a retry of ${oneLine(test_run_id)}`, (signal) =>
          retryRun(session.api, id, signal),
        );
      }),
    );
}

interface RegradeOptions extends FollowOptions {
  readonly rubric: string;
  readonly judgeModel?: string;
}

export function addRegradeCommand(program: Command, host: Host): void {
  addFollowOptions(program.command('regrade <run>'))
    .summary('mark the conversations of a run again')
    .description(
      'Start a run in which every whole conversation of another run is marked again; the agent is not called.',
    )
    .addOption(
      new Option('--rubric <which>', 'the rubric that they were marked with, or the current one')
        .choices(['as_run', 'current'])
        .default('as_run'),
    )
    .option('--judge-model <name>', 'the model that marks, one of the service’s ALLOWED_MODELS')
    .addHelpText('after', `${EXIT_CODES}\nExample:\n  $ osce regrade run_20270130090000_1f0c9a2e --rubric current`)
    .action((run: string, options: RegradeOptions, command: Command) =>
      host.run(command, async (session) => {
        const { id, test_run_id } = await findRun(session.api, run);
        const request = { rubric: options.rubric, judge_model: options.judgeModel };
        return followDerived(session, options, `a regrade of ${oneLine(test_run_id)}`, (signal) =>
          regradeRun(session.api, id, request, signal),
        );
      }),
    );
}

interface ForkOptions extends FollowOptions {
  readonly atTurn: number;
  readonly say?: string;
  readonly agent?: string;
  readonly trials?: number;
}

export function addForkCommand(program: Command, host: Host): void {
  addFollowOptions(program.command('fork <scenario-run>'))
    .summary('go on differently from a turn of a conversation')
    .description('Start a run in which a conversation keeps its first turns and goes on differently from there.')
    .requiredOption('--at-turn <n>', 'the first new turn', positiveInteger)
    .option('--say <text>', 'what the patient says at that turn, word for word')
    .option('--agent <name>', 'the agent that goes on, by name or id (default: the same)')
    .option('--trials <n>', 'how many times it goes on, 1 to 20 (default 1)', numberOfTrials)
    .addHelpText(
      'after',
      `${EXIT_CODES}
Examples:
  $ osce fork 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34 --at-turn 3 --say "I forgot: I take warfarin."
  $ osce fork 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34 --at-turn 2 --agent "Triage agent, new prompt" --trials 5`,
    )
    .action((id: string, options: ForkOptions, command: Command) =>
      host.run(command, async (session) => {
        const { atTurn, say, agent, trials } = options;
        const agentId = agent === undefined ? undefined : (await findAgent(session.api, agent)).id;
        const request = { at_turn: atTurn, patient_message: say, agent_id: agentId, trials };
        return followDerived(session, options, `a fork of ${oneLine(id)} at turn ${atTurn}`, (signal) =>
          forkScenarioRun(session.api, id, request, signal),
        );
      }),
    );
}
