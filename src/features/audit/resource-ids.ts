import { isUuid } from '../../platform/database/uuid';

const RUN_LABEL = /^run_\d{14}_[0-9a-f]{8}$/;
const MOST_IDS = 100;
/** Under which names answers say what they are about: scenarios have their own. */
const OWN_ID = ['id', 'scenario_id'] as const;
/** Under which names a body says which run is meant: of several, the first that is given counts, as it does for the endpoint. */
const RUN_IN_BODY = ['test_run_id', 'run_id', 'id'] as const;

/** What names a resource: a UUID, or the label of a run. Anything else that stands in its place may be anything, a secret too. */
export function resourceIdOf(given: unknown): string | null {
  if (typeof given !== 'string') return null;
  return isUuid(given) ? given.toLowerCase() : RUN_LABEL.test(given) ? given : null;
}

/** The resources that a request names: in its path, and the run in its body. */
export function namedIds(params: Readonly<Record<string, unknown>>, body: unknown, bodyNames: ReadonlySet<string>) {
  return distinct([...Object.values(params), runInBody(body, bodyNames)]);
}

function runInBody(body: unknown, bodyNames: ReadonlySet<string>): unknown {
  const given = RUN_IN_BODY.filter((name) => bodyNames.has(name)).map((name) => fieldOf(body, name));
  return given.find((id) => id !== undefined && id !== null);
}

/** The resources that an answer is about: its own id, or those of the items that it lists. */
export function answeredIds(answer: unknown): readonly string[] {
  const own = ownId(answer);
  if (own !== null) return [own];
  if (typeof answer !== 'object' || answer === null) return [];
  const listed = Array.isArray(answer) ? [answer] : Object.values(answer).filter(Array.isArray);
  return distinct(listed.flatMap((list) => list.slice(0, MOST_IDS).map(ownId)));
}

function ownId(item: unknown): string | null {
  for (const name of OWN_ID) {
    const id = resourceIdOf(fieldOf(item, name));
    if (id !== null) return id;
  }
  return null;
}

function fieldOf(item: unknown, name: string): unknown {
  return typeof item === 'object' && item !== null && Object.hasOwn(item, name) ? Reflect.get(item, name) : undefined;
}

function distinct(given: readonly unknown[]): readonly string[] {
  return [...new Set(given.map(resourceIdOf).filter((id) => id !== null))].slice(0, MOST_IDS);
}
