import { EMERGENCY_PATHWAYS } from './emergency-pathways';
import { COURTESIES, EVERYDAY_PATHWAYS, GENERAL_PATHWAY, FAMILY_PATHWAYS } from './everyday-pathways';
import { aboutWhom, isMoreUrgent, personIn, type Pathway, type Remark } from './pathway';

/** The pathways in the order in which they are tried. */
const PATHWAYS: readonly Pathway[] = [...EMERGENCY_PATHWAYS, ...EVERYDAY_PATHWAYS, ...FAMILY_PATHWAYS];

const GOODBYE = 'Thank you. I have noted it all for the clinic team; please write again if anything changes.';

/** Symptoms that the patient denies are no signs: "I have no chest pain." */
const DENIAL = /\bno (?!point)[^.,;!?]*/gi;

/** Only the beginning of a very long message is read. */
const READ_CHARACTERS = 4_000;

/**
 * The agent's reply to the last of the patient's messages. The same conversation always gets the same reply: it is played
 * from the beginning each time, and nothing is kept.
 */
export function replyTo(patientMessages: readonly string[]): string {
  const person = personIn(patientMessages[0] ?? '');
  const said = new Set<string>();
  let pathway = GENERAL_PATHWAY;
  let heard = '';
  let reply = GOODBYE;
  for (const message of patientMessages.map((text) => text.slice(0, READ_CHARACTERS))) {
    heard += ` ${message.replace(DENIAL, '')}`;
    pathway = pathwayFor(heard, pathway);
    const parts = [remarkOn(message, pathway, said), pathway.lines.find((line) => !said.has(line)) ?? GOODBYE];
    for (const part of parts) said.add(part);
    reply = parts.filter((part) => part !== '').join(' ');
  }
  return aboutWhom(reply, person);
}

function pathwayFor(heard: string, current: Pathway): Pathway {
  const recognised = PATHWAYS.find(({ signs }) => signs.every((sign) => sign.test(heard)));
  return recognised !== undefined && isMoreUrgent(recognised, current) ? recognised : current;
}

function remarkOn(message: string, { remarks = [] }: Pathway, said: ReadonlySet<string>): string {
  for (const { when, say } of [...remarks, ...COURTESIES] satisfies readonly Remark[]) {
    const match = when.exec(message);
    const remark = match === null ? '' : say.replace('$1', () => match[1]?.toLowerCase() ?? 'it');
    if (remark !== '' && !said.has(remark)) return remark;
  }
  return '';
}
