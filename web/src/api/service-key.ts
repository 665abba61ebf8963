const STORED_AS = 'agent-osce.service-key';

/** What the page knows of the service key. `wanted` while the service rejects ours, or requires one and we have none. */
export interface ServiceKey {
  readonly key: string | null;
  readonly wanted: boolean;
}

let current: ServiceKey = { key: stored(), wanted: false };
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`. The key lives as long as the browser tab. */
export const serviceKey = {
  get: (): ServiceKey => current,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** The service answered 401. */
  refused(): void {
    set({ ...current, wanted: true });
  },
  enter(key: string): void {
    sessionStorage.setItem(STORED_AS, key);
    set({ key, wanted: false });
  },
  forget(): void {
    sessionStorage.removeItem(STORED_AS);
    set({ key: null, wanted: false });
  },
};

function set(next: ServiceKey): void {
  if (next.key === current.key && next.wanted === current.wanted) return;
  current = next;
  for (const listener of listeners) listener();
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(STORED_AS);
  } catch {
    // In a browser without storage the page asks for the key again.
    return null;
  }
}
