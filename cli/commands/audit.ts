import { Option, type Command } from 'commander';
import { auditPages, type AuditQuery, type AuditRecord } from '../connection/audit-calls';
import { CommandFailure } from '../failure';
import { positiveInteger, timeOfDay } from '../option-values';
import { csvLine } from '../output/csv';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';

const EXAMPLES = `
Only names and ids are recorded, never a value that was sent. Times are in UTC.

Examples:
  $ osce audit --since 2027-01-31
  $ osce audit --resource agents --method DELETE
  $ osce audit --id 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
  $ osce audit --since 2027-01-01 --until 2027-02-01 --limit 100000 --csv > january.csv`;

/** The columns of a file, in this order. */
const COLUMNS: Readonly<Record<string, (record: AuditRecord) => string | number | boolean | null>> = {
  number: ({ number }) => number,
  at: ({ at }) => at,
  who: ({ who }) => who,
  role: ({ role }) => role,
  address: ({ address }) => address,
  method: ({ method }) => method,
  route: ({ route }) => route,
  resource: ({ resource }) => resource,
  resource_ids: ({ resource_ids: ids }) => ids.join(' '),
  fields: ({ fields }) => fields.join(' '),
  outcome: ({ outcome }) => outcome,
  status: ({ status }) => status,
  replayed: ({ replayed }) => replayed,
  completed_at: ({ completed_at: at }) => at,
  request_id: ({ request_id: id }) => id,
};

interface AuditOptions {
  readonly since?: string;
  readonly until?: string;
  readonly who?: string;
  readonly method?: string;
  readonly resource?: string;
  readonly id?: string;
  readonly limit: number;
  readonly csv?: boolean;
}

export function addAuditCommand(program: Command, host: Host): void {
  program
    .command('audit')
    .summary('show who changed what, and when')
    .description('Show who changed what and when, newest first. It takes the service key of an administrator.')
    .option('--since <time>', 'only what was asked for then or later', timeOfDay)
    .option('--until <time>', 'only what was asked for before that', timeOfDay)
    .option('--who <name>', 'only changes with the service key of this name')
    .addOption(new Option('--method <method>', 'only these requests').choices(['POST', 'PUT', 'PATCH', 'DELETE']))
    .option('--resource <type>', 'only changes of this type: agents, scenarios, tests (runs) …')
    .option('--id <id>', 'only changes of the resource with this id, deleted or not, or of the run with this label')
    .option('--limit <n>', 'at most this many', positiveInteger, 25)
    .option('--csv', 'comma-separated values, for a spreadsheet')
    .addHelpText('after', EXAMPLES)
    .action((options: AuditOptions, command: Command) => host.run(command, (session) => audit(session, options)));
}

async function audit(session: Session, options: AuditOptions): Promise<void> {
  const { since, until, who, method, resource, id, limit } = options;
  const asked = { since, until, who, method, resource, resource_id: id };
  const query = Object.fromEntries(Object.entries(asked).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  if (options.csv === true) return writeCsv(session, query, limit);
  const records: AuditRecord[] = [];
  let total = 0;
  for await (const page of auditPages(session.api, query, limit)) {
    records.push(...page.records);
    // What is recorded while pages are read is newer than all of them.
    total = Math.max(page.total ?? total, records.length);
  }
  session.output.answer({ records, total }, (screen) => print(screen, records, total));
}

/** Rows are written as the pages arrive: a year of records need not fit into memory. */
async function writeCsv({ api, output }: Session, query: AuditQuery, limit: number): Promise<void> {
  if (output.isJson) throw new CommandFailure('Choose one of --json and --csv.');
  await output.out.flow(csvLine(Object.keys(COLUMNS)));
  for await (const { records } of auditPages(api, query, limit)) {
    const lines = records.map((record) => csvLine(Object.values(COLUMNS).map((cellOf) => cellOf(record))));
    await output.out.flow(lines.join(''));
    if (!output.out.isRead) return;
  }
}

function print(screen: Screen, records: readonly AuditRecord[], total: number): void {
  if (records.length === 0) return screen.line('No matching changes.');
  screen.line(
    tableOf<AuditRecord>(
      screen,
      [
        { title: 'When (UTC)', cell: ({ at }) => at.slice(0, 19).replace('T', ' ') },
        { title: 'Who', cell: ({ who, role }) => (who === role ? who : `${who} (${role})`) },
        { title: 'What', cell: whatText },
        { title: 'Fields', cell: ({ fields }) => fields.join(' '), flexible: true },
        { title: 'Outcome', cell: outcomeText, paint: (text, record) => paintOf(screen, record)(text) },
      ],
      records,
    ),
  );
  if (total > records.length) screen.line(`${total - records.length} more: --limit ${total} shows all.`);
}

/** The id is in the same cell: a column of its own would leave no room for the fields. */
function whatText({ method, route, resource_ids: [first, ...others] }: AuditRecord): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${method} ${route}${first === undefined ? '' : ` ${first}`}${more}`;
}

function outcomeText({ outcome, status, replayed }: AuditRecord): string {
  const words = outcome.replaceAll('_', ' ');
  return `${status === null ? words : `${words} (${status})`}${replayed ? ', repeated' : ''}`;
}

function paintOf({ colors }: Screen, { outcome }: AuditRecord): (text: string) => string {
  if (outcome === 'done') return (text) => text;
  return outcome === 'refused' || outcome === 'under_way' ? colors.yellow : colors.red;
}
