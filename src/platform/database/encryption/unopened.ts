import type { UnopenedSecret } from './vault';

const UNOPENED = new WeakMap<object, UnopenedSecret>();

/** One row that does not open takes nothing else of a list with it: only whoever uses the value of this property gets the error. */
export function markUnopened(entity: object, property: string, error: UnopenedSecret): void {
  if (!UNOPENED.has(entity)) UNOPENED.set(entity, error);
  Object.defineProperty(entity, property, {
    enumerable: true,
    get: () => {
      throw error;
    },
  });
}

/** Why a loaded row's secrets cannot be opened, in a sentence; null when they are. */
export function whyUnopened(entity: object): string | null {
  return UNOPENED.get(entity)?.message ?? null;
}
