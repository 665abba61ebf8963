/** Sentences, words, synonyms and the names of medicines, as the offline tester and the offline judge read them. */

export { termsOf, weightOf } from './words';
export { medicinesIn, type NamedMedicine } from './named-medicines';
export { sentenceSpans } from './sentence-spans';
