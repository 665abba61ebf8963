import type { SpokenConversations } from '../../src/engine/actors/spoken-conversations';

/** For conversations in text, which have nothing spoken. */
export const inText: Pick<SpokenConversations, 'open'> = {
  open: () => Promise.reject(new Error('A conversation in text was to be spoken.')),
};
