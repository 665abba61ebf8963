import type { Command } from 'commander';
import type { Finding, LintedScenario } from '../connection/answers';
import { EXIT } from '../exit-codes';
import { CommandFailure, RefusedFailure, UsageFailure } from '../failure';
import { filesIn } from '../import/files-in';
import { valuesIn } from '../import/values-in';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';
import { isObject } from '../read-input';
import type { Host, Session } from '../session';

/** As many as the service lints in one request. */
const IDS_A_REQUEST = 100;

interface LintOptions {
  readonly all?: boolean;
}

/** One scenario with where it was found: a file and line, or nothing for a stored one. */
interface Linted extends LintedScenario {
  readonly where: string | null;
}

export function addLintCommand(scenarios: Command, host: Host): void {
  scenarios
    .command('lint [paths...]')
    .summary('find what makes the marks of scenarios less reliable')
    .description(
      'Lint scenarios: files and folders as osce import reads them, or all that the service has. Nothing is stored.\nExit code 1 when there is any finding; docs/writing-scenarios.md explains the rules.',
    )
    .option('--all', 'the active scenarios of the service, instead of files')
    .addHelpText('after', '\nExample:\n  $ osce scenarios lint content/scenarios\n  $ osce scenarios lint --all')
    .action((files: string[], options: LintOptions, command: Command) =>
      host.run(command, (session) => lint(session, files, options)),
    );
}

async function lint(session: Session, files: readonly string[], { all = false }: LintOptions): Promise<number> {
  if (all === files.length > 0)
    throw new UsageFailure(
      'Name the files or folders to lint, or give --all for what the service has: osce scenarios lint --help',
    );
  const scenarios = all ? await lintStored(session) : await lintFiles(session, files);
  const total = scenarios.reduce((sum, { findings }) => sum + findings.length, 0);
  session.output.answer({ scenarios, total: scenarios.length, total_findings: total }, (screen) => {
    for (const scenario of scenarios) if (scenario.findings.length > 0) printFindings(screen, scenario);
    screen.line(summaryOf(scenarios.length, total));
  });
  return total > 0 ? EXIT.findings : EXIT.passed;
}

async function lintStored({ api }: Session): Promise<Linted[]> {
  const ids = (await api.scenarios()).map(({ scenario_id }) => scenario_id);
  const linted: Linted[] = [];
  for (let at = 0; at < ids.length; at += IDS_A_REQUEST) {
    const { scenarios } = await api.lintScenarios({ scenario_ids: ids.slice(at, at + IDS_A_REQUEST) });
    linted.push(...scenarios.map((scenario) => ({ ...scenario, where: null })));
  }
  return linted;
}

/** @throws UsageFailure naming file and place of what is no scenario */
async function lintFiles({ api }: Session, files: readonly string[]): Promise<Linted[]> {
  const linted: Linted[] = [];
  const found = await filesIn(files);
  for (const file of found.files) {
    for await (const { value, where } of valuesIn(file)) {
      if (value instanceof UsageFailure) throw new UsageFailure(`${where} ${value.message}`);
      if (!isObject(value)) throw new UsageFailure(`${where} must be a JSON object`);
      // A whole scenario is linted, including ids that an export has put into it.
      const { scenario_ids: _, ...scenario } = value;
      const { scenarios } = await refusedAt(where, () => api.lintScenarios(scenario));
      linted.push(...scenarios.map((one) => ({ ...one, where })));
    }
  }
  return linted;
}

/** Problems of a scenario are reported with their places. */
async function refusedAt<Answer>(where: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RefusedFailure && error.status === 400) throw new CommandFailure(`${where}: ${error.message}`);
    throw error;
  }
}

function printFindings(screen: Screen, { where, name, findings }: Linted): void {
  const title = oneLine(name ?? 'A scenario without a name');
  screen.line(`${screen.colors.bold(title)}${where === null ? '' : ` (${oneLine(where)})`}`);
  screen.line(
    tableOf<Finding>(
      screen,
      [
        { title: 'Where', cell: ({ path }) => path },
        { title: 'Rule', cell: ({ rule }) => rule },
        {
          title: 'Severity',
          cell: ({ severity }) => severity,
          paint: (text, { severity }) => (severity === 'error' ? screen.colors.red(text) : screen.colors.yellow(text)),
        },
        { title: 'What is wrong, and what to write', cell: ({ sentence }) => sentence, flexible: true },
      ],
      findings,
    ),
  );
}

function summaryOf(scenarios: number, findings: number): string {
  const linted = `${scenarios} ${scenarios === 1 ? 'scenario' : 'scenarios'} linted`;
  return findings === 0
    ? `${linted}: no findings.`
    : `${linted}: ${findings} ${findings === 1 ? 'finding' : 'findings'}.`;
}
