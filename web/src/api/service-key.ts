const STORED_AS = 'agent-osce.service-key';

/** What the page knows of the service key. `wanted` while the service rejects what we show, or asks for something and we have nothing. */
export interface ServiceKey {
  readonly key: string | null;
  readonly wanted: boolean;
  /** What the service said when it did. */
  readonly why: string;
}

let current: ServiceKey = { key: stored(), wanted: false, why: '' };
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`. The key lives as long as the browser tab. */
export const serviceKey = {
  get: (): ServiceKey => current,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** The service answered 401. */
  refused(why: string): void {
    set({ ...current, wanted: true, why });
  },
  enter(key: string): void {
    sessionStorage.setItem(STORED_AS, key);
    set({ key, wanted: false, why: '' });
  },
  /** Without a word to the page, which is about to be left. */
  drop(): void {
    sessionStorage.removeItem(STORED_AS);
  },
  forget(): void {
    sessionStorage.removeItem(STORED_AS);
    set({ key: null, wanted: false, why: '' });
  },
};

function set(next: ServiceKey): void {
  if (next.key === current.key && next.wanted === current.wanted && next.why === current.why) return;
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
