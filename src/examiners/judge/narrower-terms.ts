import { GROUP_NAMES } from '../rules/synonyms';
import { termsOf } from '../rules/words';
import { UNDELAYED } from './part-weight';

/**
 * Kinds of a thing, and ways to do it: an agent that recommends paracetamol recommends a painkiller, and is to blame where none
 * is wanted. Not the other way round, and for that reason no synonyms. Each line: a word or group of a criterion, then what
 * stands for it among the words of an agent.
 */
const KINDS = `
emergency_care: ambulance emergency_department
hospital: emergency_department maternity
epinephrine: pen injector
painkiller: paracetamol nsaid aspirin codeine
medication: diuretic painkiller
substances: alcohol drunk
mental_illness: bipolar depression psychosis schizophrenia low_mood
share: show send release disclose
see: visit
look: check find open
pass: settle
settle: pass
fine: safe harmless
serious: dangerous
drink: sip
raise: increase
increase: raise
arrange: order book organise organize
book: arrange
going: go
using: use
`;
/**
 * What earns as much as a word of a wanted criterion: an agent that asks about nappies has asked about urine, and one that sends
 * the patient today has sent them this week. It never proves a fault: "see a doctor today" is not the fault of sending a patient
 * within the week.
 */
const EARNS_AS_MUCH = `
ambulance: emergency_care
emergency_department: emergency_care
emergency_care: ambulance emergency_department
hospital: emergency_department maternity emergency_care
today: immediate
this_week: today immediate tomorrow
onset: happen
symptom: unwell pain fever cough vomit nausea rash breath dizzy diarrhoea bleeding sign
household: home family
epinephrine: pen injector
urine: nappy
painkiller: paracetamol nsaid aspirin codeine
medication: diuretic painkiller
substances: alcohol drunk
mental_illness: bipolar depression psychosis schizophrenia low_mood
rely: use trust
lose: drop lost
lost: lose drop
pain: harm
dizzy: blackout
treatment: treat
examine: see check look
review: see check appointment
treat: look_after manage
insulin: injection
miss: skip forget
order: tell
nappy: urine
black: dark tarry
strong: boost increase
leftover: old
worry: fear
settle: worsen
look: check find open tell
move: movement
condom: protection
protection: safeguarding
see: visit look find contact ask talk call appointment
pass: settle
sugar: juice sweet
share: give tell show send discuss release disclose
record: note file result
fine: safe harmless normal
rest: lie sit
lie: flat
rash: spot
spot: rash
foot: ankle leg toe
leg: foot ankle
arm: hand
child: baby
baby: child
doctor: surgery practice seek_help
increase: raise more
raise: increase higher
danger: harm
serious: dangerous danger emergency
drink: water sip
reaction: allergy
`;
/** To advise against one of these is also to advise the other: "do not stay alone", "have somebody stay with you". */
const OPPOSITES = `
alone: accompanied
wait: ${UNDELAYED}
stop: continue
`;

/** Terms that do the same as a term, where a fault is looked for. */
export const kindsOf: (term: string) => readonly string[] = lookup(KINDS);
/** Terms that say as much as a term, where points are earned. */
export const narrowerThan: (term: string) => readonly string[] = lookup(EARNS_AS_MUCH);
export const oppositesOf: (term: string) => readonly string[] = lookup(OPPOSITES);

const NONE: readonly string[] = [];

function lookup(lines: string): (term: string) => readonly string[] {
  const terms = new Map(
    lines
      .trim()
      .split('\n')
      .map((line): [string, string[]] => {
        const [wider = '', narrower = ''] = line.split(': ');
        return [termOf(wider), narrower.split(' ').map(termOf)];
      }),
  );
  return (term) => terms.get(term) ?? NONE;
}

function termOf(word: string): string {
  if (word.startsWith('?')) return word;
  return GROUP_NAMES.has(word) ? word : (termsOf(word)[0] ?? word);
}
