/** The most scenarios made from one text, and the most criteria in one generated scenario. */
export const MAX_SCENARIOS = 50;
export const MAX_CRITERIA = 12;
