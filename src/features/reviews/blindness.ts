import type { NotBlind } from '../shown-marks/shown-marks.store';

/**
 * Why a review is not blind, for people to read.
 * @param keyName null on a service without keys
 */
export function notBlindSentence(reason: NotBlind, keyName: string | null): string {
  switch (reason) {
    case 'marks_shown':
      return keyName === null
        ? 'This service has no keys, so it cannot tell people apart, and it has shown how the judge marked this conversation.'
        : `The key "${keyName}" was shown how the judge marked this conversation, or it was shown while the service had no keys.`;
    case 'source_deleted':
      return 'The run that this one began from was deleted, and with it the record of who was shown its marks.';
    case 'reviews_shown':
      return keyName === null
        ? 'This service has no keys, so it cannot tell people apart, and it has shown what others decided about this conversation.'
        : `The key "${keyName}" was shown what others decided about this conversation.`;
    case 'said_so':
      return 'The reviewer said so.';
  }
}
