import type { Command } from 'commander';
import type { Host, Session } from '../session';
import { tableOf } from '../output/table';
import type { Settings } from '../settings/settings';

const HELP = `
A setting is taken from the option, else from the environment (OSCE_URL, OSCE_API_KEY, OSCE_AGENT), else from .env in the
working folder, else from .osce.yaml there or in a folder above it, up to the root of the repository. The key of the service
is in no .osce.yaml, and is not shown here. It is sent only to an address that is given where the key is (or nearer), to this
machine, and to the origins in OSCE_TRUSTED_ORIGINS: a file that another person committed must not send it elsewhere.

An .osce.yaml:
  url: https://osce.example.org
  agent: Triage agent
  suite: Release gate          # or tags: [emergency, triage]
  trials: 3
  region: UK                   # where the agent's patients are: US, UK, EU or AU
  spoken:                      # by voice; spoken: true where all is as usual
    line: phone
    noise: babble:10
    sounds: [interruptions, pauses]
  gates:
    fail_under: 85
    fail_on: [critical, worse]
    baseline: run_20270130090000_1f0c9a2e
    min_coverage: 95

Example:
  $ osce config`;

export function addConfigCommand(program: Command, host: Host): void {
  program
    .command('config')
    .summary('show which settings apply, and where each comes from')
    .description('Show the settings that apply in this folder, and where each comes from.')
    .addHelpText('after', HELP)
    .action((_: object, command: Command) => host.run(command, show));
}

interface Row {
  readonly name: string;
  readonly value: unknown;
  readonly from: string;
}

async function show({ output, settings }: Session): Promise<void> {
  const rows = rowsOf(settings);
  if (settings.keyRefusal !== null) output.warn(settings.keyRefusal);
  output.answer({ file: settings.file?.path ?? null, settings: rows }, (screen) => {
    screen.line(
      tableOf<Row>(
        screen,
        [
          { title: 'Setting', cell: ({ name }) => name },
          {
            title: 'Value',
            cell: ({ value }) => (Array.isArray(value) ? value.join(', ') : String(value)),
            flexible: true,
          },
          { title: 'From', cell: ({ from }) => from },
        ],
        rows,
      ),
    );
    if (settings.file === null) screen.line('There is no .osce.yaml here: osce config --help shows one.');
  });
}

function rowsOf({ url, key, agent, file, keyRefusal }: Settings): Row[] {
  const { url: _url, agent: _agent, spoken, gates = {}, ...choice } = file?.contents ?? {};
  const placed = (prefix: string, values: Readonly<Record<string, unknown>>): Row[] =>
    Object.entries(values).map(([name, value]) => ({
      name: prefix + name,
      value,
      from: file?.placeOf(prefix + name) ?? '',
    }));
  return [
    { name: 'url', value: url.value, from: url.from },
    { name: 'key', value: keyOf(key, keyRefusal), from: key?.from ?? 'default' },
    ...(agent === null ? [] : [{ name: 'agent', value: agent.value, from: agent.from }]),
    ...placed('', choice),
    ...(spoken === undefined ? [] : placed('', { spoken: true })),
    ...placed('spoken.', spoken ?? {}),
    ...placed('gates.', gates),
  ];
}

function keyOf(key: Settings['key'], refusal: string | null): string {
  if (key === null) return 'none';
  return refusal === null ? 'set, not shown' : 'set, not sent to this url';
}
