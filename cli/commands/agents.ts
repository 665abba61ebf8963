import { Option, type Command } from 'commander';
import { maskCredentials } from '../../src/agents/secrets/mask-credentials';
import { configFrom, requireOwnAddress, type ConfigOptions } from '../agent-config';
import type { Agent } from '../connection/answers';
import { UsageFailure } from '../failure';
import { findAgent } from '../named-resources';
import { collected } from '../option-values';
import { printFields } from '../output/fields';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';
import { addBaselineCommand } from './agent-baseline';
import { addAgentHistoryCommand } from './agent-history';
import { addImportCurlCommand } from './import-curl';
import { addTryCommand } from './try-agent';

const EXAMPLES = `
Only the first characters of credentials are shown, with --json too, unless --show-secrets is given. To set one, name an
environment variable that holds it.

Examples:
  $ osce agents list
  $ osce agents create --name "Triage agent" --provider openai \\
      --config base_url=https://agents.example.org/v1 --config model=triage-2 --config-env api_key=TRIAGE_KEY
  $ osce agents update "Triage agent" --config temperature=0.2 --config system_prompt=null
  $ osce agents import-curl --file line.txt --name "Triage agent" --try
  $ osce agents try "Triage agent" --message "I have had a headache since yesterday."
  $ osce agents baseline "Triage agent" latest
  $ osce agents history "Triage agent"
  $ osce agents update "Triage agent" --inactive
  $ osce agents delete "Triage agent"`;

interface AgentOptions extends ConfigOptions {
  readonly name?: string;
  readonly provider?: string;
  readonly description?: string;
  readonly active?: boolean;
  readonly inactive?: boolean;
  readonly showSecrets?: boolean;
}

const secrets = (): Option => new Option('--show-secrets', 'show credentials as they are stored');
const configured = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--config <key=value>',
        'a config field; numbers, true, false, null and JSON are parsed as such',
      ).argParser(collected),
    )
    .addOption(
      new Option('--config-env <key=VARIABLE>', 'a config field whose value is in this environment variable').argParser(
        collected,
      ),
    )
    .option('--config-file <file>', 'config fields from a JSON file; - for standard input')
    .option('--description <text>', 'a description')
    .addOption(secrets());

export function addAgentsCommand(program: Command, host: Host): void {
  const agents = program
    .command('agents')
    .summary('manage the AI agents to examine')
    .description('List, show, create, try, update and delete the AI agents to examine. Identify them by name or id.')
    .addHelpText('after', EXAMPLES);
  agents
    .command('list')
    .description('List agents, by name.')
    .addOption(secrets())
    .addHelpText('after', '\nExample:\n  $ osce agents list --json')
    .action((options: AgentOptions, command: Command) => host.run(command, (session) => list(session, options)));
  agents
    .command('show <agent>')
    .description('Show an agent and its config.')
    .addOption(secrets())
    .addHelpText('after', '\nExample:\n  $ osce agents show "Demo clinic agent"')
    .action((given: string, options: AgentOptions, command: Command) =>
      host.run(command, async (session) => answer(session, await findAgent(session.api, given), options)),
    );
  configured(agents.command('create'))
    .description('Create an agent.')
    .requiredOption('--name <name>', 'its name')
    .requiredOption(
      '--provider <provider>',
      'how it is reached: openai, vapi, livekit, pipecat, browser, http, media-stream',
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ osce agents create --name "Local model" --provider openai \\\n      --config base_url=http://127.0.0.1:11434/v1 --config model=my-model',
    )
    .action((options: AgentOptions, command: Command) => host.run(command, (session) => create(session, options)));
  configured(agents.command('update <agent>'))
    .description('Change an agent. Config fields are merged; one set to null is removed.')
    .option('--name <name>', 'a new name')
    .option('--active', 'allow it to be examined')
    .addOption(new Option('--inactive', 'disable it, so that it cannot be examined').conflicts('active'))
    .addHelpText('after', '\nExample:\n  $ osce agents update "Local model" --config model=my-model-2')
    .action((given: string, options: AgentOptions, command: Command) =>
      host.run(command, (session) => update(session, given, options)),
    );
  addImportCurlCommand(agents, host);
  addTryCommand(agents, host);
  addBaselineCommand(agents, host);
  addAgentHistoryCommand(agents, host);
  agents
    .command('delete <agent>')
    .description('Delete an agent. Its past runs stay, and live ones finish.')
    .addHelpText('after', '\nExample:\n  $ osce agents delete "Local model"')
    .action((given: string, _: object, command: Command) => host.run(command, (session) => remove(session, given)));
}

async function list({ api, output }: Session, { showSecrets = false }: AgentOptions): Promise<void> {
  const agents = (await api.agents()).map((agent) => shown(agent, showSecrets));
  output.answer(agents, (screen) => {
    if (agents.length === 0) return screen.line('There are no agents yet: osce agents create --help');
    screen.line(
      tableOf<Agent>(
        screen,
        [
          { title: 'Name', cell: ({ name }) => name, flexible: true },
          { title: 'Provider', cell: ({ provider }) => provider },
          { title: 'Active', cell: ({ is_active }) => (is_active ? 'yes' : 'no') },
          { title: 'Id', cell: ({ id }) => id },
        ],
        agents,
      ),
    );
  });
}

async function create(session: Session, options: AgentOptions): Promise<void> {
  const { name, provider, description } = options;
  const config = await configFrom(options, session.environment);
  requireOwnAddress(session, config, options);
  answer(session, await session.api.createAgent({ name, provider, description, config }), options);
}

async function update(session: Session, given: string, options: AgentOptions): Promise<void> {
  const { name, description, active, inactive } = options;
  const config = await configFrom(options, session.environment);
  requireOwnAddress(session, config, options);
  const isActive = inactive === true ? false : active;
  const changes = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(isActive !== undefined && { is_active: isActive }),
    ...(Object.keys(config).length > 0 && { config }),
  };
  if (Object.keys(changes).length === 0) throw new UsageFailure('Nothing to change: osce agents update --help');
  const agent = await findAgent(session.api, given);
  answer(session, await session.api.changeAgent(agent, changes), options);
}

async function remove({ api, output }: Session, given: string): Promise<void> {
  const agent = await findAgent(api, given);
  await api.deleteAgent(agent.id);
  output.answer({ deleted: agent.id }, (screen) => printFields(screen, [['Deleted', agent.name]]));
}

function answer({ output }: Session, agent: Agent, { showSecrets = false }: AgentOptions): void {
  const safe = shown(agent, showSecrets);
  output.answer(safe, (screen) => print(screen, safe));
  for (const warning of agent.warnings) output.warn(oneLine(warning));
}

function shown(agent: Agent, showSecrets: boolean): Agent {
  return showSecrets ? agent : { ...agent, config: maskCredentials(agent.config) };
}

function print(screen: Screen, agent: Agent): void {
  printFields(screen, [
    ['Name', agent.name],
    ['Id', agent.id],
    ['Provider', agent.provider],
    ['Active', agent.is_active ? 'yes' : 'no'],
    ['Description', agent.description],
    ['Baseline', agent.baseline_test_run_id],
    ...Object.entries(agent.config).map(
      ([key, value]) => [`config.${key}`, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
  ]);
}
