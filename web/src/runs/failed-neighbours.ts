interface Conversation {
  readonly id: string;
  readonly status: string;
}

/** The failed conversations nearest to one in the order of its run; null at the ends. A null `id` stands before the first. */
export function failedNeighbours<One extends Conversation>(
  conversations: readonly One[],
  id: string | null,
): { readonly previous: One | null; readonly next: One | null } {
  const place = id === null ? -1 : conversations.findIndex((one) => one.id === id);
  const isFailed = ({ status }: Conversation): boolean => status === 'failed';
  // A conversation that the list does not hold has no neighbours.
  if (id !== null && place < 0) return { previous: null, next: null };
  return {
    previous: conversations.slice(0, Math.max(0, place)).findLast(isFailed) ?? null,
    next: conversations.slice(place + 1).find(isFailed) ?? null,
  };
}
