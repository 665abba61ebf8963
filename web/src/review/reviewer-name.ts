const STORED_AS = 'agent-osce.reviewer';

/** The name of the reviewer in this browser. */
export const reviewerName = {
  get(): string {
    try {
      return localStorage.getItem(STORED_AS) ?? '';
    } catch {
      return '';
    }
  },
  remember(name: string): void {
    try {
      localStorage.setItem(STORED_AS, name);
    } catch {
      // In a browser without storage it is asked for each time.
    }
  },
};

/** Compares names as the service does. */
export function isSameReviewer(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}
