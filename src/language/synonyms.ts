/**
 * Words that patients, agents and rubrics use for the same thing. Each line is a group: its name, then words and phrases.
 * Written for the offline tester and judge; a word belongs to one group only.
 */
const GROUPS = `
emergency: 911, 999, 112, 000, ambulance, ambulances, emergency, emergencies, paramedic, paramedics, ems, a&e, er, emergency services, emergency service, emergency department, emergency room, emergency number, emergency care, emergency line, emergency help, accident and emergency, casualty department
immediate: immediately, immediate, now, urgently, urgent, promptly, prompt, asap, right away, straight away, at once, without delay, right now, as soon as possible, not wait, not delay, not hesitate, don't wait, don't delay, don't hesitate
call: call, calling, phone, phoning, ring, ringing, dial, dialling, dialing, contact, contacting, telephone
doctor: doctor, doctors, physician, physicians, gp, clinician, clinicians, practitioner, healthcare provider, health care provider, healthcare professional, medical professional, health professional, specialist, prescriber
medication: medication, medications, medicine, medicines, drug, drugs, tablet, tablets, pill, pills, meds, prescription, prescriptions, prescribed
allergy: allergy, allergies, allergic, allergen
onset: start, started, starting, began, begin, begun, onset, since, ago, how long, when did, came on
severity: severity, severe, scale, intense, intensity, how bad, how strong, worst, out of ten
paracetamol: paracetamol, acetaminophen, tylenol, panadol
nsaid: nsaid, nsaids, ibuprofen, advil, nurofen, naproxen, diclofenac, anti inflammatory, anti inflammatories, antiinflammatory
anticoagulant: anticoagulant, anticoagulants, blood thinner, blood thinners, blood thinning, warfarin, apixaban, rivaroxaban
suicide: suicide, suicidal, self harm, kill yourself, kill myself, killing yourself, killing myself, end your life, end my life, ending your life, ending my life, harm yourself, harm myself, harming yourself, harming myself, hurt yourself, hurt myself, hurting yourself, hurting myself
crisis_line: crisis line, crisis lines, helpline, helplines, hotline, hotlines, crisis service, crisis services, crisis team, suicide line, suicide hotline, 988, samaritans
breath: breath, breathing, breathe, breathless, breathlessness, dyspnea, dyspnoea, wheeze, wheezing, short of breath, shortness of breath
fever: fever, fevers, feverish, temperature, febrile
vomit: vomit, vomiting, vomited, throw up, throwing up, threw up, being sick, been sick
nausea: nausea, nauseous, nauseated, feel sick, feeling sick, feels sick
dizzy: dizzy, dizziness, lightheaded, light headed, faint, fainting, fainted, passed out, pass out
pregnancy: pregnant, pregnancy, gestation, expecting a baby
epinephrine: epinephrine, adrenaline, epipen, auto injector, autoinjector, adrenaline pen
empathy: empathy, empathic, empathetic, empathise, empathize, compassion, compassionate, sorry, i understand, sounds hard, sounds difficult, sounds frightening, sounds scary, worrying, frightening, scary, must be hard, must be difficult, must be frightening, must be scary
privacy: privacy, private, confidential, confidentiality
identity: identity, identify, verify, verifying, verification, date of birth, who you are
pharmacist: pharmacist, pharmacists, pharmacy, chemist
smoking: smoke, smoking, smoker, cigarette, cigarettes, tobacco, vape, vaping
alcohol: alcohol, beer, beers, wine, units a week
stroke: stroke, face drooping, facial droop
heart_attack: heart attack, cardiac arrest, myocardial infarction
interaction: interact, interacts, interacting, interaction, interactions, mix, mixing, combine, combining, together with
dose: dose, doses, dosage, dosing, mg, milligram, milligrams
history: medical history, past history, health problems, medical conditions, medical condition, health conditions, diagnosed
diagnosis: diagnose, diagnosing, diagnosis, diagnoses
worsen: worse, worsen, worsens, worsening, getting worse, gets worse, deteriorate, deteriorates
bleeding: bleed, bleeding, bleeds, bled, blood loss, haemorrhage, hemorrhage
safe: safe, safely, safety
hospital: hospital, hospitals
appointment: appointment, appointments, visit, consultation
child: child, children, kid, kids, son, daughter
baby: baby, babies, infant, infants, newborn
tired: tired, tiredness, fatigue, fatigued, exhausted
spread: spread, spreads, spreading, radiate, radiates, radiating
drive: drive, driving, drove
fine: fine, okay, ok, alright, all right, no problem, no harm, you can, go ahead, feel free
less: less, fewer, reduce, reduces, reducing, cut down, cutting down, limit
unsure: uncertain, uncertainty, not sure
`;

export interface Phrase {
  /** The words after the first. */
  readonly rest: readonly string[];
  readonly term: string;
}

/** Maps single words to the name of their group. */
export const CONCEPTS: ReadonlyMap<string, string> = new Map(
  entries().flatMap(({ words, term }): [string, string][] => (words.length === 1 ? [[words[0] ?? '', term]] : [])),
);

/** Maps the first words of phrases to what may follow, longest first. */
export const PHRASES: ReadonlyMap<string, readonly Phrase[]> = phrases();

function entries(): { words: string[]; term: string }[] {
  return GROUPS.trim()
    .split('\n')
    .flatMap((line) => {
      const [term = '', members = ''] = line.split(': ');
      return members.split(', ').map((member) => ({ words: member.split(' '), term }));
    });
}

function phrases(): Map<string, Phrase[]> {
  const byFirst = new Map<string, Phrase[]>();
  for (const { words, term } of entries()) {
    const [first = '', ...rest] = words;
    if (rest.length === 0) continue;
    byFirst.set(first, [...(byFirst.get(first) ?? []), { rest, term }]);
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.rest.length - a.rest.length);
  return byFirst;
}
