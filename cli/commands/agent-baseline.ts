import type { Command } from 'commander';
import { maskCredentials } from '../../src/agents/secrets/mask-credentials';
import { UsageFailure } from '../failure';
import { findAgent, findRun } from '../named-resources';
import { printFields } from '../output/fields';
import type { Host, Session } from '../session';
import { titleOf } from '../watch/results';

const EXAMPLES = `
osce run and osce compare measure the agent by its baseline when no other run is named, and so does the page.

Examples:
  $ osce agents baseline "Triage agent" run_20270130090000_1f0c9a2e
  $ osce agents baseline "Triage agent" --none`;

interface BaselineOptions {
  readonly none?: boolean;
}

export function addBaselineCommand(agents: Command, host: Host): void {
  agents
    .command('baseline <agent> [run]')
    .description(
      'Make a completed run the baseline of an agent, by id, label or latest: its other runs are compared with it.',
    )
    .option('--none', 'clear the baseline')
    .addHelpText('after', EXAMPLES)
    .action((given: string, run: string | undefined, options: BaselineOptions, command: Command) =>
      host.run(command, (session) => setBaseline(session, given, run, options)),
    );
}

async function setBaseline(
  { api, output }: Session,
  given: string,
  run: string | undefined,
  { none = false }: BaselineOptions,
): Promise<void> {
  if (none === (run !== undefined)) {
    throw new UsageFailure('Name the run to measure by, or give --none: osce agents baseline --help');
  }
  const { id, name } = await findAgent(api, given);
  if (run === undefined) {
    await api.clearBaseline(id);
    return output.answer({ id, name, baseline_test_run_id: null }, (screen) =>
      printFields(screen, [
        ['Name', name],
        ['Baseline', 'none'],
      ]),
    );
  }
  const baseline = await findRun(api, run);
  const agent = await api.setBaseline(id, baseline.id);
  output.answer({ ...agent, config: maskCredentials(agent.config) }, (screen) =>
    printFields(screen, [
      ['Name', agent.name],
      ['Baseline', titleOf(baseline)],
    ]),
  );
}
