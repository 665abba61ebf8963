import { CommandFailure } from './failure';
import { shortened } from './output/harmless-text';

export interface Kind<Thing> {
  /** As in `no agent has the id or name …`. */
  readonly noun: string;
  /** The noun with an s by default. */
  readonly plural?: string;
  /** The command that lists them. */
  readonly listCommand: string;
  readonly id: (thing: Thing) => string;
  readonly name: (thing: Thing) => string;
  /** A detail that tells apart items of the same name. */
  readonly tellApart?: ((thing: Thing) => string) | undefined;
}

const LISTED = 10;

/**
 * The one with this id, else with this name, else with this name ignoring case.
 * @throws CommandFailure when there is none, or when several match, which are listed with their ids
 */
export function findNamed<Thing>(things: readonly Thing[], given: string, kind: Kind<Thing>): Thing {
  const wanted = given.trim();
  const byId = things.find((thing) => kind.id(thing) === wanted.toLowerCase());
  if (byId !== undefined) return byId;
  const exact = things.filter((thing) => kind.name(thing) === wanted);
  const fitting = exact.length > 0 ? exact : things.filter((thing) => folded(kind.name(thing)) === folded(wanted));
  const [only, ...others] = fitting;
  if (only === undefined) throw none(things, wanted, kind);
  if (others.length === 0) return only;
  const list = fitting.slice(0, LISTED).map((thing) => {
    const difference = kind.tellApart === undefined ? '' : `, ${kind.tellApart(thing)}`;
    return `  ${kind.id(thing)}  ${shortened(kind.name(thing), 60)}${difference}`;
  });
  if (fitting.length > LISTED) list.push(`  and ${fitting.length - LISTED} more`);
  throw new CommandFailure(
    `${fitting.length} ${kind.plural ?? `${kind.noun}s`} are called "${shortened(wanted, 80)}"; give the id of one:\n${list.join('\n')}`,
  );
}

function none<Thing>(things: readonly Thing[], wanted: string, kind: Kind<Thing>): CommandFailure {
  const close = things
    .map((thing) => kind.name(thing))
    .filter((name) => folded(name).includes(folded(wanted)) || folded(wanted).includes(folded(name)));
  const names = close.slice(0, LISTED).map((name) => `"${shortened(name, 60)}"`);
  const hint = names.length > 0 ? ` Similar: ${names.join(', ')}.` : '';
  return new CommandFailure(
    `No ${kind.noun} has the id or name "${shortened(wanted, 80)}".${hint} List them with: ${kind.listCommand}`,
  );
}

function folded(name: string): string {
  return name.normalize('NFKC').toLocaleLowerCase('en').replace(/\s+/g, ' ').trim();
}
