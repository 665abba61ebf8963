/**
 * Begins a criterion with negative points that was made from a prohibition, which follows as its author wrote it: turning "never
 * give aspirin to children" into the act itself would mean rewriting clinical text by machine. MET means the rule was broken.
 */
export const BREAKS_RULE = 'Breaks the rule: ';
