import { Option, type Command } from 'commander';
import type { Webhook, WebhookDelivery } from '../connection/answers';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  testWebhook,
} from '../connection/webhook-calls';
import { findWebhook } from '../named-resources';
import { collected } from '../option-values';
import { printFields } from '../output/fields';
import { tableOf } from '../output/table';
import type { Host, Session } from '../session';

const EXAMPLES = `
A webhook is named by its address or its id.

Examples:
  $ osce webhooks add https://ci.example.org/hooks/osce
  $ osce webhooks test https://ci.example.org/hooks/osce
  $ osce webhooks deliveries https://ci.example.org/hooks/osce`;

interface AddOptions {
  readonly event?: readonly string[];
  readonly description?: string;
}

export function addWebhooksCommand(program: Command, host: Host): void {
  const webhooks = program
    .command('webhooks')
    .summary('manage addresses that are notified when a run ends')
    .description(
      'List, add, test and remove webhooks: addresses that are notified when a run ends, or is worse than its baseline.',
    )
    .addHelpText('after', EXAMPLES);
  webhooks
    .command('list')
    .description('List webhooks.')
    .addHelpText('after', '\nExample:\n  $ osce webhooks list')
    .action((_: object, command: Command) => host.run(command, list));
  webhooks
    .command('add <url>')
    .description('Add an address to notify. The secret that messages are signed with is printed, this once.')
    .addOption(
      new Option(
        '--event <type>',
        'test_run.finished, comparison.worse, schedule.gate_failed, schedule.gate_undecided or schedule.start_failed; may be given several times; all when left out',
      ).argParser(collected),
    )
    .option('--description <text>', 'what it is for')
    .addHelpText(
      'after',
      '\nExample:\n  $ osce webhooks add https://ci.example.org/hooks/osce --event comparison.worse',
    )
    .action((url: string, options: AddOptions, command: Command) =>
      host.run(command, (session) => add(session, url, options)),
    );
  webhooks
    .command('rotate-secret <webhook>')
    .description('Give a webhook a new signing secret, and print it, this once. The old one signs too for 24 hours.')
    .addHelpText('after', '\nExample:\n  $ osce webhooks rotate-secret https://ci.example.org/hooks/osce')
    .action((given: string, _: object, command: Command) => host.run(command, (session) => rotate(session, given)));
  webhooks
    .command('remove <webhook>')
    .description('Delete a webhook, with its deliveries.')
    .addHelpText('after', '\nExample:\n  $ osce webhooks remove https://ci.example.org/hooks/osce')
    .action((given: string, _: object, command: Command) => host.run(command, (session) => remove(session, given)));
  webhooks
    .command('deliveries <webhook>')
    .description('Show the latest deliveries of a webhook, newest first.')
    .addHelpText('after', '\nExample:\n  $ osce webhooks deliveries https://ci.example.org/hooks/osce')
    .action((given: string, _: object, command: Command) => host.run(command, (session) => deliveries(session, given)));
  webhooks
    .command('test <webhook>')
    .description('Send a message of type webhook.test.')
    .addHelpText('after', '\nExample:\n  $ osce webhooks test https://ci.example.org/hooks/osce')
    .action((given: string, _: object, command: Command) => host.run(command, (session) => test(session, given)));
}

async function list({ api, output }: Session): Promise<void> {
  const webhooks = await listWebhooks(api);
  output.answer({ webhooks }, (screen) => {
    if (webhooks.length === 0) return screen.line('There are no webhooks yet: osce webhooks add --help');
    screen.line(
      tableOf<Webhook>(
        screen,
        [
          { title: 'Address', cell: ({ url }) => url, flexible: true },
          { title: 'Events', cell: ({ events }) => events.join(', ') },
          { title: 'State', cell: ({ is_active }) => (is_active ? 'on' : 'off') },
          { title: 'Id', cell: ({ id }) => id },
        ],
        webhooks,
      ),
    );
  });
}

async function add({ api, output }: Session, url: string, { event, description }: AddOptions): Promise<void> {
  const webhook = await createWebhook(api, { url, events: event, description });
  output.answer(webhook, (screen) =>
    printFields(screen, [
      ['Address', webhook.url],
      ['Id', webhook.id],
      ['Events', webhook.events.join(', ')],
      ['Secret', webhook.secret],
      ['', 'Keep the secret: it is not shown again.'],
    ]),
  );
}

async function rotate({ api, output }: Session, given: string): Promise<void> {
  const webhook = await rotateSecret(api, (await findWebhook(api, given)).id);
  output.answer(webhook, (screen) =>
    printFields(screen, [
      ['Address', webhook.url],
      ['Secret', webhook.secret],
      ['', 'Keep the secret: it is not shown again. Messages are signed with the old one too for 24 hours.'],
    ]),
  );
}

async function remove({ api, output }: Session, given: string): Promise<void> {
  const { id, url } = await findWebhook(api, given);
  await deleteWebhook(api, id);
  output.answer({ deleted: id }, (screen) => printFields(screen, [['Deleted', url]]));
}

async function deliveries({ api, output }: Session, given: string): Promise<void> {
  const webhook = await getWebhook(api, (await findWebhook(api, given)).id);
  output.answer(webhook, (screen) => {
    if (webhook.disabled_reason !== null) screen.line(webhook.disabled_reason);
    if (webhook.deliveries.length === 0) return screen.line('Nothing was sent yet: osce webhooks test --help');
    screen.line(
      tableOf<WebhookDelivery>(
        screen,
        [
          { title: 'Noted', cell: ({ created_at }) => created_at },
          { title: 'Type', cell: ({ type }) => type },
          { title: 'State', cell: ({ status }) => status },
          { title: 'Attempts', cell: ({ attempts }) => attempts, align: 'right' },
          { title: 'Last', cell: lastOf, flexible: true },
        ],
        webhook.deliveries,
      ),
    );
  });
}

function lastOf({ last_error, last_status_code, response_excerpt }: WebhookDelivery): string {
  const said = response_excerpt === null ? '' : ` It said: ${response_excerpt}`;
  return (last_error ?? (last_status_code === null ? '' : String(last_status_code))) + said;
}

async function test({ api, output }: Session, given: string): Promise<void> {
  const delivery = await testWebhook(api, (await findWebhook(api, given)).id);
  output.answer(delivery, (screen) =>
    printFields(screen, [
      ['Sent', delivery.id],
      ['See', `osce webhooks deliveries ${given}`],
    ]),
  );
}
