/** Only an agent that knows the conversation can answer it. */
export const FOLLOW_UP = 'Could you please repeat in your own words what I have just said to you?';
