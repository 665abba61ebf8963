/** What is done, advised and granted, and by whom. Read by `synonyms`. */
export const ACTS = `
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
