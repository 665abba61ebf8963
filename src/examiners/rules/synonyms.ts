/** What people feel and what is done about it, in the words of patients and of clinicians. Read by `synonyms`. */
const SYMPTOMS = `
pain: pain, pains, painful, hurt, hurts, hurting, ache, aches, aching, achy, sore, soreness, discomfort
onset: start, started, starting, starts, began, begin, begins, begun, onset, since, ago, how long, when did, came on, come on, comes on, been like this, been going on
severity: severity, severe, scale, intense, intensity, how bad, how strong, worst, out of ten
breath: breath, breathing, breathe, breathes, breathless, breathlessness, dyspnea, dyspnoea, wheeze, wheezes, wheezing, wheezy, short of breath, shortness of breath, out of breath, catch your breath
fever: fever, fevers, feverish, temperature, temperatures, febrile
vomit: make him sick, make her sick, make them sick, make yourself sick, sick up, vomit, vomits, vomiting, vomited, throw up, throws up, throwing up, threw up, being sick, been sick, keep anything down, keep fluids down, keeping anything down
nausea: nausea, nauseous, nauseated, feel sick, feeling sick, feels sick, felt sick, queasy
dizzy: dizzy, dizziness, lightheaded, light headed, faint, faints, fainting, fainted
blackout: passed out, pass out, passing out, black out, blacked out, blacking out, blackout, blackouts, lose consciousness, loses consciousness, lost consciousness, losing consciousness, loss of consciousness, unconscious, knocked out
drowsy: drowsy, drowsier, drowsiness, sleepy, sleepier, sleepiness, lethargic, lethargy, hard to wake, harder to wake, difficult to wake, hard to rouse, difficult to rouse
confused: confused, confusion, muddled, disoriented, disorientated, not making sense
numb: numb, numbness, tingling, tingle, tingles, tingly, pins and needles, loss of feeling, lost feeling
weak: weak, weaker, weakness, loss of strength, lost strength
swell: swell, swells, swelling, swellings, swelled, swollen, puffy, puffiness, puffed up
itch: itch, itches, itching, itchy
rash: rash, rashes
spot: spot, spots, blotches
sweat: sweat, sweats, sweating, sweaty, clammy
drool: drool, drools, drooling, dribble, dribbles, dribbling
tired: worn out, tired, tiredness, fatigue, fatigued, exhausted, exhaustion
worsen: worse, worsen, worsens, worsening, getting worse, gets worse, deteriorate, deteriorates, deteriorating
bleeding: bleed, bleeding, bleeds, bled, blood loss, haemorrhage, hemorrhage
bruise: bruise, bruises, bruising, bruised
spread: spread, spreads, spreading, radiate, radiates, radiating, moved to, moves to, travel to, travels to, goes into, going into, goes down, runs down
urine: urine, urinate, urinates, urinating, wee, weeing, wees, pee, peeing, pees, pass water, passes water, passing water, passed water, pass urine
nappy: nappy, nappies, diaper, diapers
stool: stool, stools, poo, poos, pooing, poop, faeces, feces, bowel movement, bowel movements
diarrhoea: diarrhoea, diarrhea, the runs, loose stools
seizure: seizure, seizures, convulsion, convulsions, fits, fitting, a fit
vision: vision, eyesight, visual, blurred, blurry
stroke: stroke, face drooping, facial droop
heart_attack: heart attack, cardiac arrest, myocardial infarction
pregnancy: pregnant, pregnancy, gestation, expecting a baby
period: period, periods, menstruation, menstrual
smoking: smoke, smokes, smoking, smoker, smoked, cigarette, cigarettes, tobacco, vape, vaping
substances: alcohol or drugs, drugs or alcohol, alcohol and drugs, recreational drugs, street drugs, illegal drugs, illicit drugs, cannabis, marijuana, cocaine
alcohol: how much do you drink, how often do you drink, do you drink much, do you drink a lot, do you drink any, been drinking alcohol, been drinking tonight, had a drink, alcohol, alcoholic, beer, beers, wine, units a week
suicide: suicide, suicidal, self harm, harm yourself, harm myself, harm herself, harm himself, harm themselves, harming yourself, harming myself, harming herself, harming himself, harming themselves, hurt yourself, hurt myself, hurt herself, hurt himself, hurt themselves, hurting yourself, hurting myself, hurting herself, hurting himself, hurting themselves, kill yourself, kill myself, kill herself, kill himself, kill themselves, killing yourself, killing myself, killing herself, killing himself, killing themselves, end your life, end my life, end her life, end his life, ending your life, ending my life, ending it all, take your own life, taking your own life, not wanting to live, want to die, wish you were dead
hurt_by: somebody hurt, someone hurt, anybody hurt, anyone hurt, somebody hurting, someone hurting, anyone hurting, hurt you, hurts you, hurting you, hurt her, hurts her, hurting her, hurt him, hurts him
unwell: unwell, ill, poorly, illness
normal: normal, normally, typical, to be expected
palpitations: palpitations, palpitation, heart race, heart racing, heart races, racing heart, skip beats, skips beats, skipped beats, heart pounding, pounding heart, heart flutter, heart fluttering, irregular heartbeat
movement: movement, movements, kick, kicks, kicking, kicked, move, moves, moving
waters: waters, waters broken, waters have broken, waters broke, waters break, waters gone, waters have gone, waters breaking, fluid leaking, leaking fluid, leaked fluid, leak of fluid, gush of fluid
birth: birth, born, give birth, gave birth, given birth, childbirth
scan: scan, scans, ultrasound, ultrasounds, sonogram
low_mood: low mood, depressed, feeling low, feeling down, feel low, feel down, feels low, feels down, still down, still low
mental_illness: mental illness, mental illnesses, mental health problem, mental health problems, mental health condition, mental health conditions, psychiatric
worry: worry, worries, worried, concern, concerns, concerned, concerning, anxious
shake: shake, shakes, shaking, shaky, tremor, tremors, tremble, trembles, trembling, shook
chemotherapy: chemotherapy, chemo
immune: immune, immunity, immune system, white blood cells, white cells, body's defences, body's defenses, cells that fight
fear: fear, fears, afraid, scared, scare, scares, frightened, frighten, frightens, terrified, terrify, terrifies
settle: settle, settles, settled, settling, resolve, resolves, clear up, clears up, go away, goes away, going away, get better, gets better, much better, be better, heal, heals, healed, subside, subsides
harmless: harmless, nothing to worry, no need to worry, nothing serious, not serious, no cause for concern, not dangerous
choke: choke, chokes, choked, choking, strangle, strangled, strangles, strangling
strange: strange, odd, weird, bizarre, unusual
diabetes: diabetes, diabetic
gullet: gullet, food pipe, oesophagus, esophagus
`;

/** What is taken, and measured because of it. Read by `synonyms`. */
const MEDICINES = `
medication: medication, medications, medicine, medicines, drug, drugs, tablet, tablets, pill, pills, meds, prescription, prescriptions, prescribed
allergy: allergy, allergies, allergic, allergen, allergens
paracetamol: paracetamol, acetaminophen, tylenol, panadol, calpol
nsaid: nsaid, nsaids, ibuprofen, advil, nurofen, naproxen, diclofenac, anti inflammatory, anti inflammatories, antiinflammatory
anticoagulant: anticoagulant, anticoagulants, blood thinner, blood thinners, blood thinning, thin the blood, thin your blood, thins the blood, thins your blood, warfarin, apixaban, rivaroxaban
painkiller: painkiller, painkillers, pain killer, pain killers, pain relief, pain relievers, pain medicine, analgesic, analgesics
diuretic: diuretic, diuretics, water tablet, water tablets, water pill, water pills, furosemide
epinephrine: epinephrine, adrenaline, epipen, epipens, auto injector, auto injectors, autoinjector, autoinjectors, adrenaline pen, adrenaline pens, epinephrine pen
preventer: preventer, preventers, preventer inhaler, steroid inhaler, brown inhaler, controller inhaler
sugar: sugar, sugars, glucose, sugary
interaction: interact, interacts, interacting, interaction, interactions, mix, mixing, combine, combining, together with
dose: dose, doses, dosage, dosing, mg, milligram, milligrams
history: medical history, past history, health problems, medical conditions, medical condition, health conditions, diagnosed
diagnosis: diagnose, diagnosing, diagnosis, diagnoses
xray: xray, xrays, x ray, x rays, x rayed, xrayed
`;

/** The services and people that give care, how they are reached, and when. Read by `synonyms`. */
const CARE = `
emergency: emergency, emergencies
ambulance: 911, 999, 112, 000, ambulance, ambulances, paramedic, paramedics, ems, emergency services, emergency service, emergency number, emergency numbers, emergency line
emergency_department: a&e, er, emergency department, emergency departments, emergency room, emergency ward, emergency unit, accident and emergency, casualty department
emergency_care: emergency care, emergency help, emergency medical care, emergency medical help, emergency treatment, emergency attention, emergency medical attention
hospital: hospital, hospitals
maternity: maternity, maternity unit, maternity ward, maternity triage, labour ward, labor ward, labour unit, labor unit, delivery unit, delivery suite
poison_centre: poison line, poisons line, poison control, poison control center, poison control centre, poison centre, poison center, poison centres, poison centers, poisons centre, poisons information, poison information centre
crisis_line: crisis line, crisis lines, helpline, helplines, hotline, hotlines, crisis service, crisis services, crisis team, suicide line, suicide hotline, 988, samaritans
doctor: doctor, doctors, physician, physicians, gp, gps, clinician, clinicians, practitioner, healthcare provider, health care provider, healthcare professional, medical professional, health professional, specialist, prescriber, paediatrician, paediatricians, pediatrician, pediatricians
pharmacist: pharmacist, pharmacists, pharmacy, chemist
seek_help: get help, get medical help, seek help, seek medical help, seek care, seek medical care, seek medical, get medical, come back, get back in touch, get in touch, get seen, be seen, get it seen, get it checked, get checked, be checked, have it checked, have it seen, get it looked, be examined
appointment: appointment, appointments, visit, consultation
call: call, calls, calling, phone, phoning, ring, ringing, dial, dialling, dialing, contact, contacting, telephone
immediate: immediately, immediate, now, urgently, urgent, promptly, prompt, asap, right away, straight away, straightaway, at once, without delay, right now, this minute, this instant, this moment, at the moment, at this moment, currently, as soon as possible, not wait, not delay, not hesitate, don't wait, don't delay, don't hesitate
today: today, tonight, this evening, this afternoon, this morning, same day
meanwhile: while you wait, while you are waiting, while you're waiting, while we wait, until they arrive, wait for the ambulance, waiting for the ambulance, wait for an ambulance, wait for help, wait for them, wait there, wait here, wait outside, wait by, wait at, wait near, wait with
tomorrow: tomorrow, next day, the morning
this_week: this week, within a week, within the week, within days, next few days, coming days, within a few days
`;

/** What is done, advised and granted, and by whom. Read by `synonyms`. */
const ACTS = `
empathy: empathy, empathic, empathetic, empathise, empathize, compassion, compassionate, sorry, i understand, sounds hard, sounds difficult, sounds frightening, sounds scary, worrying, frightening, scary, must be hard, must be difficult, must be frightening, must be scary
privacy: privacy, private, privately, confidential, confidentiality, confidentially
identity: identity, identify, verify, verifying, verification, date of birth, who you are
permission: agreed, permission, consent, consented, consents, authorisation, authorization, authorised, authorized
safe: safe, safely, safety
fine: fine, okay, ok, alright, all right, no problem, no harm, you can, go ahead, feel free
more: more, extra, additional
less: less, fewer, reduce, reduces, reducing, cut down, cutting down, cut back, limit, no more than
unsure: uncertain, uncertainty, not sure
alone: alone, on your own, on her own, on his own, on their own, on my own, by yourself, by herself, by himself, by themselves
accompanied: at home with you, anyone with you, anybody with you, someone with you, somebody with you, who is with you, who's with you, there with you, anyone with her, anyone with him, someone with her, someone with him, stay with, stays with, be with you, sit with you, with you until, keep you company
wait: see how .. is, see how .. are, see how .. gets, see how .. get, see how .. goes, see how .. go, see how .. feels, see how .. feel, seeing how .. is, seeing how .. are, seeing how .. goes, see whether .. passes, see if .. passes, see if .. settles, see if .. improves, wait, waits, waiting, waited, hold off, holding off, wait and see, leave it until, leave it till, put it off, put off, postpone, postponing
avoid: hold off on, leave .. alone, leave .. out, leave .. where, stay home from, keep out of, go without, avoid, avoids, avoiding, avoided, stay away from, steer clear of, stay clear of, keep away from, keep off, stay off, leave out, leave off, no more
raise: raise, raises, raised, raising, elevate, elevates, elevated, elevating, elevation, lift, lifts, lifted, lifting, prop up, propped up, keep .. up, put .. up
drive: drive, drives, driving, drove, driven, behind the wheel, the road
eat: eat, eats, eating, food, foods, meal, meals, breakfast, lunch, dinner, supper, snack, snacks
drink: drink, drinks, drinking, fluid, fluids
child: child, children, kid, kids, son, daughter, sons, daughters
baby: baby, babies, infant, infants, newborn
continue: continue, continues, continuing, carry on, carrying on, keep taking, keep on taking, keep using, keep giving, not stop, don't stop, never stop, not be stopped, not stopping, not to stop, never be stopped
talk: talk, talks, talking, speak, speaks, speaking
adult: adult, adults, grown up, grown ups, grownup, grownups
mother: mother, mum, mom, mummy, mam
father: father, dad, daddy
family: family, families, relative, relatives
look_after: look after, looks after, looking after, looked after, take care of, takes care of, taking care of, cares for, caring for
abuse: abuse, abuses, abused, abusive, violence, violent
nuisance: nuisance, bother, bothering, wasting .. time, waste .. time, burden
handset: your phone, her phone, his phone, my phone, mobile, mobile phone
outdoors: outdoors, outside, out of the house, fresh air
age: age, aged, old
doppler: doppler, dopplers, heartbeat monitor, heartbeat monitors
roll: roll, rolls, rolling, rolled, turn him, turn her, turn them, turning him, turning her
household: household, anyone else at home, anybody else at home, others at home, someone else at home, people at home, people you live with, live with, lives with
wake: wake, wakes, waking, woke, woken, waken, rouse, roused
`;

/**
 * Words that patients, agents and rubrics use for the same thing. Each line of a topic is a group: its name, then words and phrases;
 * ".." in a phrase stands for up to four words. Written for the offline tester and judge; a word belongs to one group only.
 */
const GROUPS = [SYMPTOMS, MEDICINES, CARE, ACTS].join('');

/** In a phrase, up to four words that keep their own meaning; it has one word before it and one after. */
export const GAP = '..';

export interface Phrase {
  /** The words after the first; `GAP` for some words that are not part of it. */
  readonly rest: readonly string[];
  readonly term: string;
}

/** Maps single words to the name of their group. */
export const CONCEPTS: ReadonlyMap<string, string> = new Map(
  entries().flatMap(({ words, term }): [string, string][] => (words.length === 1 ? [[words[0] ?? '', term]] : [])),
);

/** Maps the first words of phrases to what may follow, longest first. */
export const PHRASES: ReadonlyMap<string, readonly Phrase[]> = phrases();

/** The names of the groups, which are terms. */
export const GROUP_NAMES: ReadonlySet<string> = new Set(entries().map(({ term }) => term));

function entries(): { words: string[]; term: string }[] {
  return GROUPS.trim()
    .split('\n')
    .filter((line) => line !== '')
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
