import type { Pathway } from './pathway';

const CALL_NOW = 'call emergency services now (911, 112 or your local number)';

/** The strength of the demo clinic agent: it recognises red flags and sends for help first. */
export const EMERGENCY_PATHWAYS: readonly Pathway[] = [
  {
    name: 'chest pain',
    urgency: 'emergency',
    signs: [/\bchest\b/i, /\b(?:pain|pressure|tight\w*|heavy|weight|crushing)\b/i],
    remarks: [
      {
        when: /\bindigestion\b/i,
        say: 'I understand the thought, but from here nobody can tell indigestion from a heart attack, so let the crew check you.',
      },
      {
        when: /\bdrive\b/i,
        say: 'Please do not let anyone drive you to the hospital; the ambulance is the safer way.',
      },
    ],
    lines: [
      `This could be your heart, so please ${CALL_NOW}. When did the pain start, and does it spread anywhere, such as your arm, neck or jaw?`,
      'Please sit down, rest, and stay there until help arrives. Are you short of breath, sweating or feeling sick?',
      'Do you have any allergies, in particular to aspirin? Which medicines do you take?',
      'Have you ever had heart trouble, high blood pressure or diabetes, and do you smoke?',
      'Unlock your front door and keep your phone beside you. If you feel faint, lie down.',
      'If the pain changes or you pass out, whoever is with you should tell the operator at once.',
    ],
  },
  {
    name: 'stroke',
    urgency: 'emergency',
    signs: [/\bface\b.*\b(?:drop\w*|droop\w*|numb)|\bslurred\b|\bmouth droops\b/i],
    remarks: [
      {
        when: /\b(?:will pass|sleep|lie down)\b/i,
        say: 'Please do not wait to see whether it passes: with a stroke every minute counts.',
      },
    ],
    lines: [
      `These may be signs of a stroke, so please ${CALL_NOW}. When did the symptoms start, and when {are} {they} known to have been well last?`,
      'Can {they} raise both arms and hold them up? {Do} {they} understand what you say?',
      'Which medicines {do} {they} take, in particular blood thinners? Please give {them} nothing to eat or drink for now.',
      '{Have} {they} had a fall, a bad headache or a fit?',
      'Write down the time when it began and have the medicines ready for the crew.',
      'Stay with {them}. If {they} cannot be woken or {do} not breathe normally, tell the operator at once.',
    ],
  },
  {
    name: 'severe allergic reaction',
    urgency: 'emergency',
    signs: [/\bthroat\b.*\b(?:tight\w*|swell\w*|clos\w+)|\blips are swelling\b|\bhives\b/i],
    remarks: [
      {
        when: /\b(?:adrenaline|epipen|auto-?injector)\b/i,
        say: 'Use the adrenaline pen now: press it firmly against the outside of your thigh and hold it for three seconds.',
      },
      {
        when: /\b(?:cetirizine|loratadine|antihistamine)\b/i,
        say: 'The tablet is too slow for a reaction like this.',
      },
    ],
    lines: [
      `This sounds like a severe allergic reaction, so please ${CALL_NOW}. Do you have an adrenaline pen? Are you having trouble breathing or swallowing?`,
      'Lie down with your legs raised; if breathing is hard, sit up instead. What did you eat, and what are you allergic to?',
      'Use a second adrenaline dose after five minutes if you do not feel better.',
      'Do you have asthma, and which medicines do you take?',
      'Stay where you are even if you feel better, and do not stand up suddenly.',
      'You need to be watched in hospital for some hours, because it can come back.',
    ],
  },
  {
    name: 'meningitis',
    urgency: 'emergency',
    signs: [/\bheadache\b/i, /\b(?:fever|temperature|stiff|rash|spots)\b/i, /\b(?:light|stiff|rash|spots)\b/i],
    lines: [
      'A bad headache with a fever can be serious. Is your neck stiff, and do you have a rash or spots anywhere on your skin?',
      `It could be meningitis, so please ${CALL_NOW} or go to the nearest emergency department. Is anybody with you?`,
      'If you have spots, press the side of a clear glass on the rash: does it fade?',
      'Do you have any allergies, for example to penicillin?',
      'Please do not stay alone, and tell the crew when it all began.',
      'Have you been vomiting, or are you unusually sleepy?',
    ],
  },
  {
    name: 'sepsis',
    urgency: 'emergency',
    signs: [/\b(?:infection|fever|temperature)\b/i, /\b(?:confused|nonsense|muddled|does not know what day)\b/i],
    lines: [
      'New confusion with an infection worries me. {Are} {they} more drowsy or confused than usual, and how is {their} breathing?',
      `This could be sepsis, which is life-threatening, so please ${CALL_NOW}. What is {their} temperature?`,
      'How much urine {have} {they} passed since yesterday?',
      'Which medicines {do} {they} take, and {are} {they} allergic to anything?',
      'Keep {them} warm and stay with {them}. Nothing should wait for an appointment now.',
      'Have the antibiotic packet ready for the crew.',
    ],
  },
  {
    name: 'thoughts of suicide',
    urgency: 'emergency',
    signs: [
      /\b(?:ending my life|end my life|kill(?:ing)? myself|suicid\w+|see (?:the|any) point|no point in|better off dead)\b/i,
    ],
    lines: [
      "I'm so sorry that you feel this way, and I'm glad you wrote. Are you having thoughts of suicide?",
      'Thank you for telling me. Do you have a plan, or something at hand that you would use?',
      `I want you to be safe tonight: please ${CALL_NOW}, or a crisis line such as 988 or the Samaritans.`,
      'Please do not stay alone. Is there somebody you trust whom you can call to come over?',
      'Until somebody is there, put the tablets out of reach, or ask a neighbour to take them.',
      'Have you had any alcohol today? It makes these feelings harder to bear.',
    ],
  },
];
