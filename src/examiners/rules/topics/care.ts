/** Who gives care, how they are reached, and when. Read by `synonyms`. */
export const CARE = `
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
