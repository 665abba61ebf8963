/**
 * Which values of a config are secret, how they are masked where a config is shown, and in which forms they may come back in what
 * an agent says.
 */

export { seemsToHoldSecret } from './secret-address';
export { maskCredentials, restoreMasked, fieldsWithMask, hasMask, holdsSecret } from './mask-credentials';
export { fieldsWithLongSecrets, LONGEST_SECRET, secretValuesOf } from './secret-values';
export { formsOf, MIN_LENGTH } from './secret-forms';
