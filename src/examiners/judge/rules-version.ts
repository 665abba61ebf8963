/**
 * Which rules the offline judge marks by. Raised whenever a change of theirs may mark a conversation otherwise, so that history,
 * comparisons and calibrations tell marks of before from marks of after. 1 were those that matched words, kept as null; 2 read
 * clauses, questions and permissions.
 */
export const RULES_VERSION = 'rules-2';
