/** What people feel and what is done about it, in the words of patients and of clinicians. Read by `synonyms`. */
export const SYMPTOMS = `
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
