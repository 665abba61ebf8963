/** Sentences, words and synonyms, as the offline tester and the offline judge read them. */

export { termsOf, weightOf } from './words';
