/** The most scenarios one text makes, and the most criteria one generated scenario has. */
export const MAX_SCENARIOS = 50;
export const MAX_CRITERIA = 12;
