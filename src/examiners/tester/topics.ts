import { medicinesIn } from '../rules/named-medicines';
import { weightOf } from '../rules/words';
import type { Fact } from './patient-script';

/**
 * What scripts call a topic, and the words with which agents ask about it. Generous on purpose: an agent that asks "Are you
 * otherwise well?" has touched on the medical history, and a patient is never blamed for answering.
 */
const TOPICS: readonly (readonly [named: RegExp, asking: RegExp])[] = [
  [
    /medic(?:ine|ation)|tablet|pill|drug|painkiller|product|inhaler|insulin|glucagon|water tablets|remed/i,
    /\b(?:medic(?:ine|ation)|tablet|pill|drug|prescri|inhaler|insulin|inject|remed|supplement|painkiller|over[- ]the[- ]counter|treatment|taken|taking|do(?:es)? (?:you|he|she|they) take|(?:take|tried|using|used|on) (?:any|some|for|else|other|regular))/i,
  ],
  [
    /history|condition|illness|disease|diagnos|own health|infection|kidney|liver|how .* usually|birth/i,
    /\b(?:history|condition|illness|disease|diagnos|health|surg|operation|(?:ever|previously|before|past|usually|normally|otherwise|background|treated|chronic|long[- ]term|problem|trouble|rhythm|doctor|born|birth|kidney|liver|suffer))/i,
  ],
  [
    /earlier|previous|before|past|first/i,
    /\b(?:ever|before|previous|earlier|first|past|already|again|last time|history|happened|other times)/i,
  ],
  [/allerg/i, /\b(?:allerg|react|intoleran)/i],
  [
    /smok|alcohol|drug|cannabis/i,
    /\b(?:smok|cigar|tobacco|vap|alcohol|drink|drugs|substance|cannabis|lifestyle|habit)/i,
  ],
  [
    /family|father|mother|children|reasons to live/i,
    /\b(?:family|parent|father|mother|relative|child|kids|runs in|sibling|loved|live for|going on|(?:you|him|her) going)/i,
  ],
  [
    /company|alone|friend|somebody|someone|weapon|nurse|care team|trust|drive/i,
    /\b(?:alone|with you|with him|with her|any(?:one|body)|some(?:one|body)|who |live|at home|household|company|partner|husband|wife|friend|family|support|neighbou?r|safe|weapon|knife|gun|harm|nurse|team)/i,
  ],
  [
    /hospital|getting|drive|clinic|doctor|call/i,
    /\b(?:hospital|clinic|drive|driv|transport|get (?:there|to|here)|far|taxi|travel|ambulance|nearest|doctor|care|seen)/i,
  ],
  [
    /pregnan|period|movement|waters|midwife/i,
    /\b(?:pregnan|period|contracepti|weeks|baby|movement|kick|bleed|discharge|waters|fluid|midwife|antenatal)/i,
  ],
  [/\bage\b/i, /\b(?:how old|age|born|birth|years)/i],
  [/when|last well|start|how it|happened/i, /\b(?:when|how long|start|beg[ai]n|since|happen|how did|what time|caus)/i],
  [
    /pressure|sugar|peak flow|weight|temperature|fever|reading|breathing|breath/i,
    /\b(?:pressure|sugar|glucose|peak|weigh|temperature|fever|reading|measure|check|vital|monitor|thermometer|breath|swallow|chok|lips|chest)/i,
  ],
  [
    /harm|suicid|weapon|kill|attempt/i,
    /\b(?:harm|suicid|kill|die|dying|life|weapon|plan|thought|attempt|safe|hurt|deliberate|on purpose|intent)/i,
  ],
  [
    /blood|bleed|stool|urine|nappi|bruis|waters|fits|vomit|laxative/i,
    /\b(?:blood|bleed|stool|poo|bowel|black|bruis|urin|pee|wee|toilet|nappi|diaper|wet|fluid|fits|seizure|vomit|sick|purg|laxative)/i,
  ],
  [
    /food|drink|eat|meal|dehydrat|tears|mouth|tummy/i,
    /\b(?:food|eat|ate|meal|drink|drank|swallow|mouth|tears|dry|belly|tummy|abdom|stomach|fluid)/i,
  ],
  [
    /contact|sick|travel|abroad|vaccin/i,
    /\b(?:contact|around|sick|ill|travel|abroad|trip|vaccin|immuni|jab|catch|exposed|anyone else)/i,
  ],
  [
    /pain|legs|hands|feet|spots|rash|numb|cold|skin|headache|fall|head|pressing|ear|nose/i,
    /\b(?:pain|hurt|ache|leg|swell|swollen|hand|feet|foot|toe|spot|rash|skin|glass|press|numb|tingl|cold|colou?r|head|fall|fell|injur|nose|ear|touch|tender|bone|walk)/i,
  ],
  [
    /consent|attorney|records|payment|why|password/i,
    /\b(?:consent|permission|agree|attorney|authori|legal|record|account|pay|insur|why|himself|herself|know|allow|behalf)/i,
  ],
  [/work|job/i, /\b(?:work|job|occupation|stand|daily|activit)/i],
];

/** Everything that the agent has said, in the forms that topics are looked up in. */
export interface Heard {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
}

/** Whether the agent has said anything that touches on what a fact is about. */
export function isTouched(fact: Fact, { text, terms }: Heard): boolean {
  for (const term of fact.answers) if (weightOf(term) >= 1 && terms.has(term)) return true;
  const named = fact.about === '' ? fact.speech : fact.about;
  const name = medicinesIn(named).length > 0 ? `${named} (medicine)` : named;
  return TOPICS.some(([named, asking]) => named.test(name) && asking.test(text));
}
