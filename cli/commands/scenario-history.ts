import type { Command } from 'commander';
import { isUsualPatient, patientName } from '../../src/domain';
import type { LikeVerdicts } from '../connection/answers';
import { findScenario } from '../named-resources';
import { positiveInteger } from '../option-values';
import { oneLine } from '../output/harmless-text';
import { tableOf, type Column } from '../output/table';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';

const SHOWN = 25;
/** Characters of a hash that are shown: enough to tell a few dozen configs apart. */
const HASH_CHARACTERS = 10;

const EXAMPLES = `
Verdicts are grouped when agent config and version, revision of the scenario, patient, examiners, turns and pass threshold were the
same. A scenario that both passed and failed within a group is flaky.

Example:
  $ osce scenarios history "Crushing chest pain at rest"`;

export function addHistoryCommand(scenarios: Command, host: Host): void {
  scenarios
    .command('history <scenario>')
    .description('Show the verdicts on a scenario, by what was examined and by whom, the newest first.')
    .option('--limit <n>', 'at most this many groups of verdicts, up to 100', positiveInteger, SHOWN)
    .addHelpText('after', EXAMPLES)
    .action((given: string, { limit }: { limit: number }, command: Command) =>
      host.run(command, (session) => showHistory(session, given, limit)),
    );
}

async function showHistory({ api, output }: Session, given: string, limit: number): Promise<void> {
  const { scenario_id } = await findScenario(api, given);
  const answer = await api.scenarioHistory(scenario_id, limit);
  const { scenario_name, history, total, ungrouped, flaky } = answer;
  output.answer(answer, (screen) => {
    if (history.length > 0) screen.line(historyTable(screen, history));
    if (total > history.length) screen.line(`${total - history.length} more: --limit shows up to 100.`);
    if (ungrouped > 0) screen.line(`${ungrouped} older verdicts do not say what was examined, and are left out.`);
    if (flaky)
      screen.line(
        screen.colors.yellow(
          `${oneLine(scenario_name)} is flaky: it both passed and failed under the same conditions.`,
        ),
      );
    else if (total > 0) screen.line('Not flaky: the same conditions have always given the same verdict.');
    else screen.line('There are no verdicts yet that say what was examined.');
  });
}

function historyTable(screen: Screen, history: readonly LikeVerdicts[]): string {
  const hasPatients = history.some(({ patient }) => !isUsualPatient(patient));
  const columns: Column<LikeVerdicts>[] = [
    { title: 'Last', cell: ({ last_at }) => last_at.slice(0, 16).replace('T', ' ') },
    { title: 'Agent', cell: ({ agent_name }) => agent_name, flexible: true },
    { title: 'Config', cell: ({ agent_config_hash }) => agent_config_hash.slice(0, HASH_CHARACTERS) },
    { title: 'Version', cell: ({ agent_version }) => agent_version ?? '' },
    { title: 'Revision', cell: ({ scenario_revision }) => scenario_revision ?? '', align: 'right' },
    ...(hasPatients ? [{ title: 'Patient', cell: ({ patient }: LikeVerdicts) => patientName(patient) }] : []),
    { title: 'Judge', cell: ({ examiners: { judge } }) => judge.model ?? judge.name },
    { title: 'Passed', cell: ({ passed }) => passed, align: 'right' },
    { title: 'Failed', cell: ({ failed }) => failed, align: 'right' },
    { title: 'Flaky', cell: ({ flaky }) => (flaky ? 'flaky' : ''), paint: (text) => screen.colors.yellow(text) },
  ];
  return tableOf(screen, columns, history);
}
