import { Option, type Command } from 'commander';
import { approvalState, SEVERITIES } from '../../src/domain';
import type { Scenario } from '../connection/answers';
import { UsageFailure } from '../failure';
import { findScenario, findScenarios } from '../named-resources';
import { anyNumber, collected, filled, positiveInteger } from '../option-values';
import { printFields } from '../output/fields';
import { oneLine } from '../output/harmless-text';
import { saveFile } from '../output/save-file';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';
import { readJsonObject, readText } from '../read-input';
import type { Host, Session } from '../session';
import { addDiffCommand } from './diff-scenarios';
import { addHistoryCommand } from './scenario-history';
import { addLintCommand } from './lint-scenarios';
import { approvalOf, printScenario } from './scenario-sheet';

const EXAMPLES = `
Examples:
  $ osce scenarios list --tag emergency
  $ osce scenarios list --unapproved --unsigned
  $ osce scenarios show "Crushing chest pain at rest"
  $ osce scenarios generate --text-file protocol.txt --category emergency
  $ osce scenarios lint --all
  $ osce scenarios history "Crushing chest pain at rest"
  $ osce scenarios approve "Chest pain" "Fever in a young baby" --by "Dr A. Ward" --role paediatrician
  $ osce scenarios diff scenarios/
  $ osce scenarios export -o scenarios.jsonl`;

interface ListOptions {
  readonly tag?: string;
  readonly category?: string;
  readonly unapproved?: boolean;
  readonly unsigned?: boolean;
  readonly limit?: number;
}

interface ChangeOptions {
  readonly file?: string;
  readonly name?: string;
  readonly category?: string;
  readonly severity?: string;
  readonly priority?: number;
  readonly tag?: readonly string[];
}

/** Who approves. */
interface Signature {
  readonly by: string;
  readonly role: string;
}

interface GenerationOptions {
  readonly textFile: string;
  readonly one?: boolean;
  readonly name?: string;
  readonly category?: string;
  readonly tag?: readonly string[];
}

export function addScenariosCommand(program: Command, host: Host): void {
  const scenarios = program
    .command('scenarios')
    .summary('manage the clinical cases')
    .description(
      'List, show, create, change, lint, approve, delete, generate, compare and export scenarios. Identify them by name or id.',
    )
    .addHelpText('after', EXAMPLES);
  scenarios
    .command('list')
    .description('List active scenarios, by priority and name.')
    .option('--tag <tag>', 'only those with this tag')
    .option('--category <category>', 'only those of this category')
    .option('--unapproved', 'only drafts, which runs leave out unless they are named')
    .option(
      '--unsigned',
      'only those approved without an approver’s name, such as starters; with --unapproved drafts too',
    )
    .option('--limit <n>', 'at most this many', positiveInteger)
    .addHelpText('after', '\nExample:\n  $ osce scenarios list --tag emergency')
    .action((options: ListOptions, command: Command) => host.run(command, (session) => list(session, options)));
  scenarios
    .command('show <scenario>')
    .description('Show a scenario with its script and rubric.')
    .addHelpText('after', '\nExample:\n  $ osce scenarios show "Twisted ankle"')
    .action((given: string, _: object, command: Command) =>
      host.run(command, async (session) => answer(session, await findScenario(session.api, given))),
    );
  scenarios
    .command('create')
    .description('Create a scenario from a JSON file, in the format of show --json and the API description.')
    .requiredOption('-f, --file <file>', 'the scenario; - for standard input')
    .addHelpText('after', '\nExample:\n  $ osce scenarios create -f chest-pain.json')
    .action((options: { file: string }, command: Command) =>
      host.run(command, async (session) =>
        answer(session, await session.api.createScenario(await readJsonObject(options.file))),
      ),
    );
  scenarios
    .command('update <scenario>')
    .description('Change a scenario: the fields in a JSON file and those given as options. The others stay.')
    .option('-f, --file <file>', 'a JSON object with the fields to change; - for standard input')
    .option('--name <name>', 'a new name')
    .option('--category <category>', 'a new category')
    .addOption(new Option('--severity <severity>', 'a new severity').choices([...SEVERITIES]))
    .option('--priority <n>', 'lower runs first', anyNumber)
    .addOption(new Option('--tag <tag>', 'replace the tags; may be given several times').argParser(collected))
    .addHelpText(
      'after',
      '\nExample:\n  $ osce scenarios update "Twisted ankle" --severity low --tag triage --tag limb',
    )
    .action((given: string, options: ChangeOptions, command: Command) =>
      host.run(command, (session) => update(session, given, options)),
    );
  scenarios
    .command('approve <scenarios...>')
    .description('Approve scenarios in the name of the person who has read them, so that runs include them.')
    .addOption(required('--by <name>', 'who has read script, gold standard, sources and rubric, and approves them'))
    .addOption(required('--role <role>', 'their role, such as "emergency physician"'))
    .addHelpText(
      'after',
      '\nExample:\n  $ osce scenarios approve "Twisted ankle" --by "Dr A. Ward" --role "emergency physician"',
    )
    .action((given: string[], signature: Signature, command: Command) =>
      host.run(command, (session) => approve(session, given, signature)),
    );
  scenarios
    .command('unapprove <scenarios...>')
    .description('Withdraw the approval of scenarios: they become drafts.')
    .addHelpText('after', '\nExample:\n  $ osce scenarios unapprove "Twisted ankle"')
    .action((given: string[], _: object, command: Command) =>
      host.run(command, (session) => unapprove(session, given)),
    );
  scenarios
    .command('delete <scenarios...>')
    .description('Remove scenarios from lists and future runs. Past runs keep them.')
    .option('--purge', 'delete for good, with their revisions: only those that no run, suite or twin refers to')
    .addHelpText(
      'after',
      '\nExamples:\n  $ osce scenarios delete "Twisted ankle"\n  $ osce scenarios delete --purge "A draft"',
    )
    .action((given: string[], { purge = false }: { purge?: boolean }, command: Command) =>
      host.run(command, (session) => remove(session, given, purge)),
    );
  scenarios
    .command('generate')
    .description('Generate scenarios from clinical text, one for each case in it. A clinician approves them.')
    .requiredOption('--text-file <file>', 'the text; - for standard input')
    .option('--one', 'only the most important case')
    .addOption(new Option('--name <name>', 'its name').implies({ one: true }))
    .option('--category <category>', 'applied to all of them')
    .addOption(new Option('--tag <tag>', 'applied to all of them; may be given several times').argParser(collected))
    .addHelpText('after', '\nExample:\n  $ osce scenarios generate --text-file protocol.txt --tag protocol-7')
    .action((options: GenerationOptions, command: Command) =>
      host.run(command, (session) => generate(session, options)),
    );
  addLintCommand(scenarios, host);
  addHistoryCommand(scenarios, host);
  addDiffCommand(scenarios, host);
  scenarios
    .command('export')
    .description('Write scenarios as JSON lines that osce import reads.')
    .option('--tag <tag>', 'only those with this tag')
    .option('-o, --output <file>', 'where to write them; default standard output')
    .addHelpText('after', '\nExample:\n  $ osce scenarios export --tag emergency -o emergency.jsonl')
    .action((options: { tag?: string; output?: string }, command: Command) =>
      host.run(command, (session) => exportLines(session, options)),
    );
}

function required(flags: string, description: string): Option {
  return new Option(flags, description).argParser(filled).makeOptionMandatory();
}

async function list({ api, output }: Session, options: ListOptions): Promise<void> {
  const { tag, category, unapproved = false, unsigned = false, limit = Number.MAX_SAFE_INTEGER } = options;
  const wanted = { draft: unapproved, starter: unsigned, unsigned, signed: false };
  const fitting = (await api.scenarios(tag)).filter(
    (scenario) =>
      (category === undefined || scenario.category === category) &&
      ((!unapproved && !unsigned) || wanted[approvalState(scenario)]),
  );
  const scenarios = fitting.slice(0, limit);
  output.answer({ scenarios, total: fitting.length }, (screen) => {
    if (scenarios.length === 0) return screen.line('No matching scenarios.');
    screen.line(scenarioTable(screen, scenarios));
    if (fitting.length > scenarios.length) screen.line(`${fitting.length - scenarios.length} more.`);
  });
}

function scenarioTable(screen: Screen, scenarios: readonly Scenario[]): string {
  return tableOf<Scenario>(
    screen,
    [
      { title: 'Name', cell: ({ name }) => name, flexible: true },
      { title: 'Category', cell: ({ category }) => category },
      { title: 'Severity', cell: ({ severity }) => severity ?? '' },
      { title: 'Approval', cell: approvalOf },
      { title: 'Tags', cell: ({ tags }) => tags.join(', ') },
    ],
    scenarios,
  );
}

async function update(session: Session, given: string, options: ChangeOptions): Promise<void> {
  const { file, name, category, severity, priority, tag } = options;
  const changes = {
    ...(file !== undefined && (await readJsonObject(file))),
    ...(name !== undefined && { name }),
    ...(category !== undefined && { category }),
    ...(severity !== undefined && { severity }),
    ...(priority !== undefined && { priority }),
    ...(tag !== undefined && { tags: tag }),
  };
  if (Object.keys(changes).length === 0) throw new UsageFailure('Nothing to change: osce scenarios update --help');
  const scenario = await findScenario(session.api, given);
  answer(session, await session.api.changeScenario(scenario, changes));
}

const APPROVED_MATTER = ['content', 'rubric_criteria'] as const;

async function approve({ api, output }: Session, given: readonly string[], { by, role }: Signature): Promise<void> {
  const found = await findScenarios(api, given);
  const approval = { approved: true, approved_by: by, approved_role: role };
  // Only the text that was read is approved.
  for (const scenario of found) await api.changeScenario(scenario, approval, APPROVED_MATTER);
  output.answer({ approved: found.map(({ scenario_id }) => scenario_id) }, (screen) => {
    for (const { name } of found) screen.line(`Approved by ${oneLine(by)} (${oneLine(role)}): ${oneLine(name)}`);
  });
}

async function unapprove({ api, output }: Session, given: readonly string[]): Promise<void> {
  const found = await findScenarios(api, given);
  for (const scenario of found) await api.changeScenario(scenario, { approved: false });
  output.answer({ unapproved: found.map(({ scenario_id }) => scenario_id) }, (screen) => {
    for (const { name } of found) screen.line(`Is a draft again: ${oneLine(name)}`);
  });
}

async function remove({ api, output }: Session, given: readonly string[], purge: boolean): Promise<void> {
  const found = await findScenarios(api, given);
  for (const { scenario_id } of found) await api.deleteScenario(scenario_id, { purge });
  output.answer({ deleted: found.map(({ scenario_id }) => scenario_id) }, (screen) => {
    for (const { name } of found) screen.line(`Deleted: ${oneLine(name)}`);
  });
}

async function generate({ api, output }: Session, options: GenerationOptions): Promise<void> {
  const { textFile, one = false, name, category, tag } = options;
  const text = await readText(textFile);
  const fields = { text, name, category, tags: tag };
  const scenarios = await api.generateScenarios(fields, one ? 'one' : 'all');
  output.answer({ scenarios, total: scenarios.length }, (screen) => {
    for (const scenario of scenarios) {
      printFields(screen, [[scenario.scenario_id, `${oneLine(scenario.name)} (${oneLine(scenario.category)})`]]);
    }
    screen.line(
      'They are drafts, not approved yet: osce scenarios lint --all and osce scenarios show, then osce scenarios approve',
    );
  });
}

async function exportLines({ api, output }: Session, options: { tag?: string; output?: string }): Promise<void> {
  const scenarios = await api.scenarios(options.tag);
  const lines = scenarios.map((scenario) => `${JSON.stringify(scenario)}\n`);
  if (options.output === undefined) {
    for (const line of lines) await output.out.flow(output.out.harmless(line));
    return;
  }
  const { output: path } = options;
  await saveFile(path, bytesOf(lines));
  if (output.isJson) output.answer({ file: path, total: scenarios.length }, () => undefined);
  else output.remark(`Written: ${path} (${scenarios.length} scenarios)`);
}

async function* bytesOf(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const line of lines) yield encoder.encode(line);
}

function answer({ output }: Session, scenario: Scenario): void {
  output.answer(scenario, (screen) => printScenario(screen, scenario));
}
