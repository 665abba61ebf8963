/** Of both tracks of a recording, in samples a second: wide enough for speech, and what recognisers take. */
export const RECORDED_RATE = 16_000;
