import { Option, type Command } from 'commander';
import type { Suite } from '../connection/answers';
import { UsageFailure } from '../failure';
import { findScenarios, findSuite } from '../named-resources';
import { collected } from '../option-values';
import { printFields } from '../output/fields';
import { tableOf } from '../output/table';
import type { Host, Session } from '../session';

const EXAMPLES = `
Examples:
  $ osce suites create "Release gate" --tag emergency --scenario "Twisted ankle"
  $ osce suites show "Release gate"
  $ osce suites update "Release gate" --add "Fever in a young baby"
  $ osce run --agent "Triage agent" --suite "Release gate" --fail-under 85`;

interface SuiteOptions {
  readonly name?: string;
  readonly description?: string;
  readonly scenario?: readonly string[];
  readonly tag?: readonly string[];
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

const several = (flags: string, description: string): Option => new Option(flags, description).argParser(collected);

export function addSuitesCommand(program: Command, host: Host): void {
  const suites = program
    .command('suites')
    .summary('manage named selections of scenarios')
    .description('List, show, create, update and delete suites: named, ordered selections of scenarios.')
    .addHelpText('after', EXAMPLES);
  suites
    .command('list')
    .description('List suites, by name.')
    .addHelpText('after', '\nExample:\n  $ osce suites list')
    .action((_: object, command: Command) => host.run(command, list));
  suites
    .command('show <suite>')
    .description('Show a suite and its scenarios.')
    .addHelpText('after', '\nExample:\n  $ osce suites show "Release gate"')
    .action((given: string, _: object, command: Command) =>
      host.run(command, async (session) => show(session, await findSuite(session.api, given))),
    );
  suites
    .command('create <name>')
    .description('Create a suite of the named scenarios and all that have one of the tags.')
    .addOption(several('--scenario <name>', 'a scenario, by name or id; may be given several times'))
    .addOption(several('--tag <tag>', 'all active scenarios with this tag; may be given several times'))
    .option('--description <text>', 'what it is for')
    .addHelpText('after', '\nExample:\n  $ osce suites create "Release gate" --tag emergency')
    .action((name: string, options: SuiteOptions, command: Command) =>
      host.run(command, (session) => create(session, name, options)),
    );
  suites
    .command('update <suite>')
    .description('Change a suite. Runs that have started keep their scenarios.')
    .option('--name <name>', 'a new name')
    .option('--description <text>', 'a new description')
    .addOption(several('--add <scenario>', 'add a scenario; may be given several times'))
    .addOption(several('--remove <scenario>', 'remove a scenario; may be given several times'))
    .addHelpText('after', '\nExample:\n  $ osce suites update "Release gate" --remove "Twisted ankle"')
    .action((given: string, options: SuiteOptions, command: Command) =>
      host.run(command, (session) => update(session, given, options)),
    );
  suites
    .command('delete <suite>')
    .description('Delete a suite. Its scenarios and past runs stay.')
    .addHelpText('after', '\nExample:\n  $ osce suites delete "Release gate"')
    .action((given: string, _: object, command: Command) => host.run(command, (session) => remove(session, given)));
}

async function list({ api, output }: Session): Promise<void> {
  const suites = await api.suites();
  output.answer({ test_suites: suites }, (screen) => {
    if (suites.length === 0) return screen.line('There are no suites yet: osce suites create --help');
    screen.line(
      tableOf<Suite>(
        screen,
        [
          { title: 'Name', cell: ({ name }) => name, flexible: true },
          { title: 'Scenarios', cell: ({ scenario_ids }) => scenario_ids.length, align: 'right' },
          { title: 'Id', cell: ({ id }) => id },
        ],
        suites,
      ),
    );
  });
}

async function show({ api, output }: Session, suite: Suite): Promise<void> {
  if (output.isJson) return output.answer(suite, () => undefined);
  const names = new Map((await api.scenarios()).map(({ scenario_id, name }) => [scenario_id, name]));
  output.answer(suite, (screen) =>
    printFields(screen, [
      ['Name', suite.name],
      ['Id', suite.id],
      ['Description', suite.description],
      ['Scenarios', suite.scenario_ids.map((id) => names.get(id) ?? `${id} (inactive)`).join('\n')],
    ]),
  );
}

async function create(session: Session, name: string, options: SuiteOptions): Promise<void> {
  const { api } = session;
  const ids = (await findScenarios(api, options.scenario ?? [])).map(({ scenario_id }) => scenario_id);
  for (const tag of options.tag ?? []) ids.push(...(await api.scenarios(tag)).map(({ scenario_id }) => scenario_id));
  if (ids.length === 0) throw new UsageFailure('The suite would be empty: name scenarios with --scenario or --tag.');
  const { description } = options;
  await show(session, await api.createSuite({ name, description, scenario_ids: [...new Set(ids)] }));
}

async function update(session: Session, given: string, options: SuiteOptions): Promise<void> {
  const { api } = session;
  const { name, description, add = [], remove: taken = [] } = options;
  const suite = await findSuite(api, given);
  const added = (await findScenarios(api, add)).map(({ scenario_id }) => scenario_id);
  const removed = new Set((await findScenarios(api, taken)).map(({ scenario_id }) => scenario_id));
  const scenario_ids = [...new Set([...suite.scenario_ids, ...added])].filter((id) => !removed.has(id));
  const changes = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(add.length + taken.length > 0 && { scenario_ids }),
  };
  if (Object.keys(changes).length === 0) throw new UsageFailure('Nothing to change: osce suites update --help');
  await show(session, await api.changeSuite(suite, changes));
}

async function remove({ api, output }: Session, given: string): Promise<void> {
  const suite = await findSuite(api, given);
  await api.deleteSuite(suite.id);
  output.answer({ deleted: suite.id }, (screen) => printFields(screen, [['Deleted', suite.name]]));
}
