import { InvalidArgumentError, Option, type Command } from 'commander';
import { MOST_KEY_DAYS } from '../../contract/keys';
import { ROLES } from '../../contract/operation';
import type { NamedKey } from '../connection/answers';
import { createKey, listKeys, revokeKey } from '../connection/key-calls';
import { findKey } from '../named-resources';
import { printFields } from '../output/fields';
import { tableOf } from '../output/table';
import type { Host, Session } from '../session';

const EXAMPLES = `
A key is for one program and has its name: in the audit trail, in reviews, in refusals. All of this takes the role admin.

Examples:
  $ osce keys create ci --role runner --expires 90d
  $ osce keys list
  $ osce keys revoke ci`;

interface CreateOptions {
  readonly role: string;
  readonly expires?: number;
}

export function addKeysCommand(program: Command, host: Host): void {
  const keys = program
    .command('keys')
    .summary('manage keys of programs that call the service')
    .description('Create, list and revoke named keys, with which programs call the service.')
    .addHelpText('after', EXAMPLES);
  keys
    .command('create <name>')
    .description('Create a key. It is printed, this once: the service keeps only its hash.')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
    .addOption(
      new Option(
        '--expires <days>',
        `when it ends, such as 90d (${MOST_KEY_DAYS}d at most); never when left out`,
      ).argParser(days),
    )
    .addHelpText('after', '\nExample:\n  $ osce keys create ci --role runner --expires 90d')
    .action((name: string, options: CreateOptions, command: Command) =>
      host.run(command, (session) => create(session, name, options)),
    );
  keys
    .command('list')
    .description('List keys, those revoked in the last 90 days too.')
    .addHelpText('after', '\nExample:\n  $ osce keys list')
    .action((_: object, command: Command) => host.run(command, list));
  keys
    .command('revoke <key>')
    .description('Revoke a key, by name or id: within two seconds no process of the service accepts it.')
    .addHelpText('after', '\nExample:\n  $ osce keys revoke ci')
    .action((given: string, _: object, command: Command) => host.run(command, (session) => revoke(session, given)));
}

/** `90d` as 90. */
function days(given: string): number {
  const number = Number(/^(\d{1,4})d$/.exec(given)?.[1]);
  if (number >= 1 && number <= MOST_KEY_DAYS) return number;
  throw new InvalidArgumentError(`Expected 1 to ${MOST_KEY_DAYS} days, such as 90d.`);
}

async function create({ api, output }: Session, name: string, { role, expires }: CreateOptions): Promise<void> {
  const key = await createKey(api, { name, role, expires_in_days: expires });
  output.answer(key, (screen) =>
    printFields(screen, [
      ['Name', key.name],
      ['Role', key.role],
      ['Expires', key.expires_at ?? 'never'],
      ['Key', key.key],
      ['', 'Keep the key: it is not shown again.'],
    ]),
  );
}

async function list({ api, output }: Session): Promise<void> {
  const keys = await listKeys(api);
  output.answer({ keys }, (screen) => {
    if (keys.length === 0) return screen.line('There are no named keys yet: osce keys create --help');
    screen.line(
      tableOf<NamedKey>(
        screen,
        [
          { title: 'Name', cell: ({ name }) => name, flexible: true },
          { title: 'Role', cell: ({ role }) => role },
          { title: 'State', cell: ({ state }) => state },
          { title: 'Begins', cell: ({ hint }) => hint },
          { title: 'Created', cell: ({ created_at }) => day(created_at) },
          { title: 'By', cell: ({ created_by }) => created_by },
          { title: 'Expires', cell: ({ expires_at }) => day(expires_at) },
          { title: 'Last used', cell: ({ last_used_at }) => last_used_at ?? 'never' },
        ],
        keys,
      ),
    );
  });
}

function day(time: string | null): string {
  return time?.slice(0, 'YYYY-MM-DD'.length) ?? 'never';
}

async function revoke({ api, output }: Session, given: string): Promise<void> {
  const { id, name } = await findKey(api, given);
  await revokeKey(api, id);
  output.answer({ revoked: id, name }, (screen) => printFields(screen, [['Revoked', name]]));
}
