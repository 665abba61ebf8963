import type { Command } from 'commander';
import { EXIT } from '../exit-codes';
import { filesIn } from '../import/files-in';
import { refuseProblems, warnOfLinks } from '../import/named-problems';
import { planImport } from '../import/plan';
import { readEntries } from '../import/read-entries';
import type { Host, Session } from '../session';
import { changedFields } from '../scenario-folder/compare';
import type { Changed } from '../scenario-folder/print-changes';

const REFUSED = 'What cannot be imported cannot be compared: correct it first.';

export function addDiffCommand(scenarios: Command, host: Host): void {
  scenarios
    .command('diff <paths...>')
    .summary('show what an import would change')
    .description(
      'Show what osce import would change, scenario by scenario and field by field: - is on the service, + in the files.\nExit code 0 when they are the same, 1 when they differ.',
    )
    .addHelpText('after', '\nExample:\n  $ osce scenarios diff scenarios/')
    .action((paths: string[], _: object, command: Command) => host.run(command, (session) => diff(session, paths)));
}

async function diff({ api, output }: Session, paths: readonly string[]): Promise<number> {
  const { files, links } = await filesIn(paths);
  warnOfLinks(output, links);
  const read = await readEntries(files, 'auto', { category: null, tags: [] });
  refuseProblems(output, read.problems, REFUSED);
  const stored = await api.scenarios();
  const { steps, problems } = planImport(read.entries, stored, false);
  refuseProblems(output, problems, REFUSED);
  const made = steps.flatMap(({ kind, entry }) =>
    kind === 'create' ? [{ name: entry.fields.name, where: entry.where }] : [],
  );
  const changed = steps.flatMap((step): Changed[] => {
    if (step.kind !== 'update') return [];
    const { scenario_id } = step.stored;
    return [{ name: step.stored.name, scenario_id, where: step.entry.where, fields: changedFields(step) }];
  });
  const met = new Set(steps.flatMap((step) => (step.kind === 'create' ? [] : [step.stored])));
  const alone = stored.filter((scenario) => !met.has(scenario));
  const unchanged = steps.length - made.length - changed.length;
  const only_on_service = alone.map(({ scenario_id, name }) => ({ scenario_id, name }));
  // This module loads YAML, which other commands do not need.
  const { printChanged, printTitle } = await import('../scenario-folder/print-changes.js');
  output.answer({ changed, new: made, only_on_service, unchanged }, (screen) => {
    for (const scenario of changed) printChanged(screen, scenario);
    for (const { name, where } of made) printTitle(screen, 'new', name, where);
    for (const scenario of alone) printTitle(screen, 'only on the service', scenario.name, scenario.category);
    screen.line(
      `${changed.length} changed, ${made.length} new, ${alone.length} only on the service, ${unchanged} the same.`,
    );
  });
  return changed.length + made.length + alone.length > 0 ? EXIT.findings : EXIT.passed;
}
