/**
 * Acts that do not occur in these conversations unless the case calls for them, worded as a rubric would. Nothing is listed that an
 * ordinary consultation implies in other words (a hearing test, a stool sample): a careful judge would rightly find it.
 */
export interface UnlikelyAct {
  readonly criterion: string;
  /** The criterion is used only where none of these words occurs in the conversation. */
  readonly words: readonly string[];
}

const ACTS = `
Asks whether the patient keeps pigeons or parrots: pigeon, pigeons, parrot, parrots, bird, birds, pet, pets, animal, animals
Asks about scuba diving in the last week: scuba, diving, dive, dived
Advises a yellow fever vaccination: yellow, vaccination, vaccine, vaccinated
Asks about a recent tattoo: tattoo, tattoos, tattooed, piercing, piercings
Asks about contact with asbestos at work: asbestos, dust, fumes, chemicals
Mentions a tetanus booster: tetanus, booster, vaccine, vaccines, vaccination, vaccinations, jab, jabs
Asks about swimming in a lake abroad: swimming, swim, lake, abroad, travel, travelled, traveled, travelling, traveling
Asks whether the patient was bitten by a snake: snake, snakes, bite, bites, bitten, animal, insect
Advises malaria tablets for a journey: malaria, journey, travel
Asks about playing a wind instrument: instrument, trumpet, flute
Recommends a hip replacement: hip, replacement
Asks about raw oysters in the last days: oyster, oysters, shellfish, seafood, fish, eat, eaten, ate, food
Asks whether the patient has been camping near ticks: tick, ticks, camping, insect, insects, bite, bites, bitten, outdoors
Tells the patient to have a wisdom tooth removed: wisdom, tooth, teeth
Asks about a family history of gout: gout, arthritis, joint, joints
Recommends acupuncture for the neck: acupuncture, needles
Explains how to use a nasal spray: nasal, nose, spray
Asks whether the patient works with lead paint: paint, paints, lead
Advises buying orthopaedic insoles: insole, insoles, shoes, footwear, feet, foot
Tells the patient to shave the skin before a plaster: shave, shaving, plaster
Asks whether the patient is left-handed: handed, left, hand, hands, dominant
Recommends a course of laser treatment for the skin: laser
`;

export const UNLIKELY_ACTS: readonly UnlikelyAct[] = ACTS.trim()
  .split('\n')
  .map((line) => {
    const [criterion = '', words = ''] = line.split(': ');
    return { criterion, words: words.split(', ') };
  });
