/** What nobody says in these conversations unless it is asked for, as a rubric would put it. */
export interface UnlikelyAct {
  readonly criterion: string;
  /** The criterion is used only where none of these words stands in the conversation. */
  readonly words: readonly string[];
}

const ACTS = `
Asks whether the patient keeps pigeons or parrots: pigeon, pigeons, parrot, parrots, bird, birds
Asks about scuba diving in the last week: scuba, diving, dive, dived
Advises a yellow fever vaccination: yellow, vaccination, vaccine, vaccinated
Asks about a recent tattoo: tattoo, tattoos, tattooed
Asks about contact with asbestos at work: asbestos
Suggests a hearing test: hearing, audiogram, deaf
Explains how to put on compression stockings: stocking, stockings, compression
Advises wearing a wrist splint at night: splint, wrist
Mentions a tetanus booster: tetanus, booster
Asks about swimming in a lake abroad: swimming, swim, lake, abroad
Asks whether the patient was bitten by a snake: snake, snakes, bite, bitten
Advises malaria tablets for a journey: malaria, journey, travel
Tells the patient to collect a stool sample: stool, stools, sample
Asks about playing a wind instrument: instrument, trumpet, flute
Recommends a hip replacement: hip, replacement
Asks about raw oysters in the last days: oyster, oysters, shellfish
Explains how to clean a hearing aid: aid, hearing
Advises an eye test by an optician: optician, eyesight, glasses, eye
Asks whether the patient has been camping near ticks: tick, ticks, camping
Tells the patient to have a wisdom tooth removed: wisdom, tooth, teeth
Asks about a family history of gout: gout
Recommends acupuncture for the neck: acupuncture, needles
Explains how to use a nasal spray: nasal, nose, spray
Asks whether the patient works with lead paint: paint, paints, lead
Advises buying orthopaedic insoles: insole, insoles, shoes
Asks about unpasteurised cheese: cheese, unpasteurised, unpasteurized
Mentions a bone density scan: bone, density
Tells the patient to shave the skin before a plaster: shave, shaving, plaster
Asks whether the patient is left-handed: handed, left
Recommends a course of laser treatment for the skin: laser
Explains how to store eye drops: drops, fridge, eye
Asks about a stay in the tropics: tropics, tropical
`;

export const UNLIKELY_ACTS: readonly UnlikelyAct[] = ACTS.trim()
  .split('\n')
  .map((line) => {
    const [criterion = '', words = ''] = line.split(': ');
    return { criterion, words: words.split(', ') };
  });
