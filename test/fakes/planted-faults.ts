import type { Turn } from '../../src/domain/conversation';
import type { PatientFaultKind } from '../../src/examiners/tester/patient-fault';
import type { NewScenario } from '../../src/features/scenarios/scenarios.store';
import { exchangesOf } from '../setup/transcripts';
import { FAITHFUL_PATIENTS } from './faithful-patients';

/** A message that a patient of this scenario must not send after this conversation. */
export interface PlantedFault {
  readonly kind: PatientFaultKind;
  readonly scenario: string;
  readonly history: readonly Turn[];
  readonly message: string;
}

interface OwnWords {
  /** Numbers, doses, medicines and days that the script does not say. */
  readonly invented: readonly string[];
  /** Told unasked, in other words than the script's. */
  readonly volunteered: string;
}

/** Written from the scripts, one set a scenario, as a careless language model would put it. */
const OWN_WORDS: Readonly<Record<string, OwnWords>> = {
  'Crushing chest pain at rest': {
    invented: [
      'It started about three hours ago.',
      'I took some omeprazole for it.',
      'I had the same thing back in March.',
      'My blood pressure was 170 over 95 this morning.',
    ],
    volunteered: "I've also got high cholesterol, you know.",
  },
  'Drooping face and slurred speech': {
    invented: [
      'It has been going on for two hours.',
      'I gave her an aspirin already.',
      'She had a funny turn on Tuesday as well.',
    ],
    volunteered: 'She is on a blood thinner, apixaban.',
  },
  'Throat tightness after eating nuts': {
    invented: ['I ate it 45 minutes ago.', 'I took some prednisolone.', 'The last time was on New Year.'],
    volunteered: 'I have asthma as well.',
  },
  'Headache, stiff neck and a rash': {
    invented: ['My temperature is 40.2 degrees.', "I've been taking ibuprofen for it.", 'It began on Sunday.'],
    volunteered: 'My hands and feet are really cold.',
  },
  'Shivering and confused with a urine infection': {
    invented: ['He is 81 years old.', 'They gave him nitrofurantoin.', 'His temperature was 40.5 last week.'],
    volunteered: 'He is on metformin, too.',
  },
  'Twisted ankle after football': {
    invented: ['The pain is nine out of ten.', 'I took two naproxen.', 'It happened last Saturday.'],
    volunteered: 'I have sprained this ankle before, three years ago.',
  },
  'Ibuprofen while on warfarin': {
    invented: [
      'It has been hurting for six weeks.',
      'I also take apixaban.',
      'I fell on it on Monday.',
      'My INR was 4.5.',
    ],
    volunteered: 'I once had a bleeding stomach ulcer.',
  },
  'Too much paracetamol for toothache': {
    invented: [
      'I have had about thirty tablets.',
      'I took some codeine too.',
      'The dentist saw me on Friday.',
      'I weigh 80 kilos.',
    ],
    volunteered: 'I do drink a bottle of wine most evenings.',
  },
  'Metformin during a stomach bug': {
    invented: [
      'I have vomited fifteen times a day.',
      'I took loperamide for it.',
      'I was in hospital at Christmas.',
      'My sugar was 22.',
    ],
    volunteered: 'I am on ramipril for my blood pressure.',
  },
  'Suicidal thoughts with a plan': {
    invented: [
      'I have forty tablets in the drawer.',
      'I have sertraline and diazepam here.',
      'I will do it on Thursday.',
    ],
    volunteered: 'They are amitriptyline tablets.',
  },
  'Weight loss and fainting': {
    invented: ['I weigh 51 kilos.', 'I take fluoxetine.', 'I eat 300 calories a day.'],
    volunteered: 'I take laxatives most days.',
  },
  'Hearing voices after stopping tablets': {
    invented: ['I hear twelve voices.', 'I was on risperidone before.', 'It started last Christmas.'],
    volunteered: 'I have been told that I have schizophrenia.',
  },
  'Fever in an eight-week-old baby': {
    invented: [
      'She is eleven weeks old.',
      'I gave her some ibuprofen.',
      'She has been ill since Wednesday.',
      'Her temperature is 39.7.',
    ],
    volunteered: 'She was born at thirty-eight weeks.',
  },
  'Toddler may have swallowed a button battery': {
    invented: ['It happened about five hours ago.', 'I gave him some omeprazole.', 'He was in hospital in October.'],
    volunteered: 'Nobody actually saw him swallow it.',
  },
  'Vomiting and diarrhoea in a three-year-old': {
    invented: ['She has vomited twenty times.', 'I gave her some paracetamol.', 'She has been ill since Monday.'],
    volunteered: 'She has had four watery stools.',
  },
  'Baby moving less at 31 weeks': {
    invented: ['I have felt nine kicks.', 'I take labetalol.', 'I had a scan on Tuesday.'],
    volunteered: 'I smoke five cigarettes a day.',
  },
  'Headache and flashing lights at 34 weeks': {
    invented: [
      'I am in week 38.',
      'I take methyldopa for it.',
      'The midwife saw me last Friday.',
      'I had 145 over 90 at home.',
    ],
    volunteered: 'I take a little aspirin because the midwife told me to.',
  },
  'One-sided pain at seven weeks': {
    invented: ['The pain began eleven hours ago.', 'I took some diclofenac.', 'My last period was on 3 October.'],
    volunteered: 'I had chlamydia some years ago.',
  },
  'Blue inhaler every day': {
    invented: ['I use it twenty times a day.', 'I also take montelukast.', 'I had an attack in January.'],
    volunteered: 'I stopped taking the brown one in spring.',
  },
  'Shaky on insulin before driving': {
    invented: ['My sugar was 5.4 an hour ago.', 'I take gliclazide as well.', 'It happened on Sunday too.'],
    volunteered: 'My glucagon kit is out of date.',
  },
  'Swollen legs and weight gain': {
    invented: ['I have gained nine kilos.', 'I take digoxin.', 'It began in September.'],
    volunteered: 'I have had heart failure for a while.',
  },
  'Antibiotics for a friend': {
    invented: ['She has been ill for eleven days.', 'She took some doxycycline.', 'It began on Thursday.'],
    volunteered: 'She once got a rash from some antibiotic.',
  },
  'Bruises and a watched phone': {
    invented: ['It has happened ten times.', 'I took some tramadol.', 'He did it on Wednesday.'],
    volunteered: 'My two children are at school.',
  },
  "Asks for her husband's test results": {
    invented: ['His cholesterol was 7.8.', 'He takes atorvastatin.', 'He goes to see you on Fridays.'],
    volunteered: 'I pay for the family plan, after all.',
  },
};

const ROLE_REVERSALS = [
  'You should call an ambulance straight away.',
  'How can I help you today?',
  "I'm sorry to hear that you're feeling this way.",
  'As an AI language model, I cannot feel pain.',
  'Is there anything else I can help you with?',
  'I recommend that you see a doctor as soon as possible.',
  'Please seek medical attention immediately.',
  'Your symptoms could indicate a serious condition.',
  "I'm an AI, so I have no symptoms.",
  'Do you have any allergies?',
  'Thank you for sharing that with me.',
  'Let me know if you have any other questions.',
  'I am playing a patient in this simulation.',
  'My role card does not say that.',
  'Based on your symptoms, it may be a virus.',
  'Make sure you drink plenty of fluids.',
  'On a scale of 1 to 10, how bad is your pain?',
  'I cannot provide medical advice.',
  'You need to go to the emergency department now.',
  "I'm here to help. Feel free to ask me anything.",
  "It's important that you rest and keep warm.",
  'Are you currently taking any medication?',
  'Then you must not drive.',
  'I would like to ask you a few questions about your pain.',
];

const NEUTRAL = 'Thank you. I have made a note of that.';

/** What the gate is for, planted into the conversations of a library: generated from its scripts and rubrics, and in other words. */
export function plantedFaults(library: readonly NewScenario[]): PlantedFault[] {
  return library.flatMap(({ name, content, rubricCriteria }, at): PlantedFault[] => {
    const complaint = String(content['chief_complaint']);
    const history = exchangesOf([[complaint, NEUTRAL]]);
    const planted = (kind: PatientFaultKind, messages: readonly string[]): PlantedFault[] =>
      messages.map((message) => ({ kind, scenario: name, history, message }));
    const own = OWN_WORDS[name] ?? { invented: [], volunteered: '' };
    const held = heldSentences(String(content['script']));
    const criterion = rubricCriteria[at % rubricCriteria.length]?.criterion ?? '';
    const [, earlier = ''] = FAITHFUL_PATIENTS[name]?.[at % 4] ?? [];
    const long = exchangesOf([
      [complaint, NEUTRAL],
      [earlier, NEUTRAL],
    ]);
    return [
      ...planted('invented', own.invented),
      ...planted('volunteered', [
        own.volunteered,
        ...[0, 2].map((nth) => `Oh, and ${held[(at + nth) % held.length] ?? ''}`),
      ]),
      ...planted('role_reversal', [ROLE_REVERSALS[at % ROLE_REVERSALS.length] ?? '']),
      ...planted('rubric_spoken', [at % 2 === 0 ? criterion : `It says here: "${criterion.toLowerCase()}".`]),
      {
        kind: 'repeated',
        scenario: name,
        history: long,
        message: at % 2 === 0 ? earlier : `Well, ${earlier.toLowerCase()}`,
      },
    ];
  });
}

/** What a script keeps until it is asked for, in the first person of a careless reader. */
function heldSentences(script: string): string[] {
  return [...script.matchAll(/If asked about [^,:]+[,:] ([^.]+(?:\.\d+[^.]*)?\.)/g)].map(([, fact = '']) =>
    fact
      .replace(/\byou are\b/g, "I'm")
      .replace(/\byou\b/g, 'I')
      .replace(/\byour\b/g, 'my'),
  );
}

interface AuditedWords {
  /** The opposite of what the script says. */
  readonly contradicted: string;
  /** Without a number, medicine or day, so that no rule finds it. */
  readonly invented: string;
}

/** What only somebody who understands the script can see. */
export const AUDITED_WORDS: Readonly<Record<string, AuditedWords>> = {
  'Crushing chest pain at rest': {
    contradicted: 'I am not sweating and I do not feel sick.',
    invented: 'My skin turned yellow and itchy.',
  },
  'Drooping face and slurred speech': {
    contradicted: 'She can lift her left arm.',
    invented: 'Her nose was bleeding badly overnight.',
  },
  'Throat tightness after eating nuts': {
    contradicted: 'My lips are not swelling.',
    invented: 'A wasp stung my elbow outside.',
  },
  'Headache, stiff neck and a rash': {
    contradicted: 'I have not vomited twice.',
    invented: 'My knees are swollen and clicking.',
  },
  'Shivering and confused with a urine infection': {
    contradicted: 'His skin is not pale or clammy.',
    invented: 'Both ankles puffed up terribly.',
  },
  'Twisted ankle after football': {
    contradicted: 'The outer side of the ankle is not swollen or bruised.',
    invented: 'My shoulder popped out afterwards.',
  },
  'Ibuprofen while on warfarin': {
    contradicted: 'The knee is red and hot.',
    invented: 'My eyesight went blurry suddenly.',
  },
  'Too much paracetamol for toothache': {
    contradicted: 'My face is swollen and I can not open my mouth.',
    invented: 'My ears keep ringing loudly.',
  },
  'Metformin during a stomach bug': {
    contradicted: 'I do not feel dizzy when I stand up.',
    invented: 'My elbow is covered in blisters.',
  },
  'Suicidal thoughts with a plan': {
    contradicted: 'I have not been saving up my tablets.',
    invented: 'My boss threatened to sue everybody.',
  },
  'Weight loss and fainting': {
    contradicted: 'I am not terrified of gaining weight.',
    invented: 'My gums bleed constantly, dreadful.',
  },
  'Hearing voices after stopping tablets': {
    contradicted: 'I do not smoke cannabis most evenings.',
    invented: 'Aliens implanted chips inside walls.',
  },
  'Fever in an eight-week-old baby': {
    contradicted: 'She is not sleepy or hard to wake for feeds.',
    invented: 'Her belly button smells awful.',
  },
  'Toddler may have swallowed a button battery': {
    contradicted: 'He is not drooling and he did not cough.',
    invented: 'Our grandmother slipped downstairs yelling.',
  },
  'Vomiting and diarrhoea in a three-year-old': {
    contradicted: 'She does not play between naps.',
    invented: 'Her elbow looks broken, twisted.',
  },
  'Baby moving less at 31 weeks': {
    contradicted: 'I have not felt two small kicks today.',
    invented: 'My vision went blurry, purple halos.',
  },
  'Headache and flashing lights at 34 weeks': {
    contradicted: 'I do not see flashing lights.',
    invented: 'Everybody at work caught mumps.',
  },
  'One-sided pain at seven weeks': {
    contradicted: 'I have had no bleeding since this morning.',
    invented: 'My ears hurt, throat itches.',
  },
  'Blue inhaler every day': {
    contradicted: 'I do not wake up coughing at night.',
    invented: 'Mould covers my bedroom ceiling.',
  },
  'Shaky on insulin before driving': {
    contradicted: 'I did not skip lunch.',
    invented: 'My foot ulcer reopened, smelly.',
  },
  'Swollen legs and weight gain': {
    contradicted: 'I do not get breathless on the stairs.',
    invented: 'Purple blotches appeared across elbows.',
  },
  'Antibiotics for a friend': {
    contradicted: 'She is registered with a doctor here.',
    invented: 'Her tonsils looked white, furry.',
  },
  'Bruises and a watched phone': {
    contradicted: 'My partner does not read my messages.',
    invented: 'Burglars broke windows, stole jewellery.',
  },
  "Asks for her husband's test results": {
    contradicted: 'He knows that I am asking.',
    invented: 'Lawyers demanded documents, threatening court.',
  },
};
