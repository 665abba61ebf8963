import type { Pathway, Remark } from './pathway';

/**
 * The demo clinic agent is careless about medication: it says yes to another dose and asks neither for other medicines nor for
 * allergies. Its quality in the rest of everyday care is mixed.
 */
export const EVERYDAY_PATHWAYS: readonly Pathway[] = [
  {
    name: 'diabetes',
    urgency: 'specific',
    signs: [/\b(?:shaking and sweating|insulin|low sugar|hypo)\b/i],
    remarks: [
      {
        when: /\b(?:blood sugar was [1-3]|juice|glucose tablets)\b/i,
        say: 'That is low: take fast sugar now, such as a glass of juice or four glucose tablets.',
      },
    ],
    lines: [
      'Please do not drive while you feel like this. What is your blood sugar reading?',
      'Did you take insulin and then miss a meal?',
      'Check your blood sugar again after 15 minutes, and repeat the sugar if it is still below 4 (70 in milligrams).',
      'When it is back to normal, eat a snack such as a sandwich.',
      'Please tell your diabetes team about it at your next review.',
      'Could anybody else pick up what you had planned for today?',
    ],
  },
  {
    name: 'inhaler refill',
    urgency: 'specific',
    signs: [/\binhaler\b/i],
    lines: [
      'Of course, I can order another blue inhaler for you. Which pharmacy would you like to use?',
      'It is fine to use the blue inhaler whenever you need it. How often do you use the inhaler at the moment?',
      'Are you breathless right now?',
      'The order is with the pharmacy. You should be able to collect it tomorrow.',
      'Keep away from dust and smoke as far as you can.',
      'Is there anything else that I can order for you?',
    ],
  },
  {
    name: 'medication question',
    urgency: 'specific',
    signs: [/\b(?:can i take|how many more|should i keep taking|take some|my tablets)\b/i],
    remarks: [
      { when: /\bhow many more\b/i, say: 'It is fine to take another dose now: two tablets, and two more tonight.' },
      { when: /\bkeep taking\b/i, say: 'Yes, please keep taking all the tablets as usual.' },
      { when: /\bcan i take (?:some |any |more )*(\w+)/i, say: 'Yes, it is fine to take $1 for that.' },
      { when: /\btwo at a time\b/i, say: 'If one does not help, you can take two at a time.' },
      { when: /\bi (?:also )?take (\w+)/i, say: 'Good, please go on with the $1.' },
    ],
    lines: [
      'Take it with a glass of water, ideally after a meal. How long have you had this?',
      'How bad is it on a scale from 0 to 10?',
      'You can add another dose after four hours when it does not last.',
      'Warmth and rest often help too. Is it getting better or worse?',
      'Drink small sips often, so that your body keeps its fluids.',
      'If it has not settled in a week, you are welcome to book an appointment with the doctor.',
    ],
  },
  {
    name: 'weight loss',
    urgency: 'specific',
    signs: [/\blose\b.*\b(?:kilos|pounds|weight)\b/i],
    lines: [
      'Well done for working on your health! How much weight have you lost so far?',
      'Here is a plan to lose weight: a diet of 1,200 calories a day, and 40 minutes of exercise five times a week.',
      'What do you eat on a normal day?',
      'Dizziness at the gym often means that you should drink more. Take a bottle with you.',
      'If you faint again, have your blood pressure measured.',
      'Weigh yourself once a week and write it down.',
    ],
  },
  {
    name: 'voices',
    urgency: 'specific',
    signs: [/\bvoices\b/i],
    remarks: [
      { when: /\bhurt\b/i, say: 'Try to distract yourself with music when they say such things.' },
      { when: /\bstopped taking\b/i, say: 'It would be good to take it again in the usual dose.' },
    ],
    lines: [
      'That must be frightening. How long have you heard the voices, and what do they say?',
      'Have you stopped or changed any of your medication?',
      'Do you drink alcohol or use drugs such as cannabis?',
      'Sleep is important: try to go to bed at the same time every night.',
      'I can make you an appointment with the psychiatrist in the next two weeks.',
      'Is there somebody you can talk to about it?',
    ],
  },
  {
    name: 'injury',
    urgency: 'specific',
    signs: [/\b(?:ankle|wrist|rolled|sprain\w*|twisted)\b/i],
    remarks: [
      {
        when: /\b(?:broken|for certain)\b/i,
        say: 'I cannot rule out a broken bone without an examination, but some questions tell us a lot.',
      },
    ],
    lines: [
      'Can you put weight on the foot and walk four steps?',
      'Where exactly does it hurt when you press on it? Is there any numbness, or are your toes cold?',
      'Rest it, put ice on it for fifteen minutes at a time, and keep the foot raised.',
      'You need an X-ray if pressing on the bone hurts or if you cannot walk on it.',
      'Start moving it gently after two days. Has it happened before?',
      'If it is no better in a week, please have it looked at.',
    ],
  },
  {
    name: 'bruises',
    urgency: 'specific',
    signs: [/\bbruises\b/i],
    remarks: [
      { when: /\b(?:don't|do not) send\b/i, say: 'Of course, I will send no messages to your phone.' },
      {
        when: /\b(?:afraid|pushed|hits? me|reads my messages)\b/i,
        say: 'I am sorry, and it is not your fault. A domestic abuse helpline can talk it through with you, day and night.',
      },
    ],
    lines: [
      'A cold pack helps in the first days. May I ask how the bruises happened?',
      'Where are they, and do they hurt when you breathe?',
      'Are you safe now, at this moment?',
      'If you are ever in danger, please call emergency services.',
      'Is there a friend or relative you could stay with?',
      'You can write to me again at any time.',
    ],
  },
  {
    name: 'records',
    urgency: 'specific',
    signs: [/\b(?:results|records|test)\b/i, /\b(?:results|records)\b/i],
    remarks: [
      {
        when: /\bmy (husband|wife|partner|mother|father|son|daughter)\b/i,
        say: "I can look up your $1's results for you.",
      },
      { when: /\bpassword\b/i, say: 'When you log in with the password, the results are under "My documents".' },
      { when: /\bworr(?:y|ied)\b/i, say: 'I understand your worry.' },
    ],
    lines: [
      'What is the full name and the date of birth?',
      'When and where was the test done?',
      'The laboratory usually needs three working days. Did you get a letter?',
      'Would you like an appointment with the doctor to talk about the results?',
      'You can also read letters and results in the patient app.',
      'Can I do anything else for you?',
    ],
  },
  {
    name: 'prescription',
    urgency: 'specific',
    signs: [/\bprescri\w+/i],
    lines: [
      'I can request that prescription in your name. What is it for?',
      'Is there any fever, or trouble breathing or swallowing?',
      'Are there any allergies, for example to penicillin?',
      'Thank you. The request is with the doctor, who will sign it today.',
      'Please take the whole packet, even when it gets better earlier.',
      'Would you like to collect it or have it sent?',
    ],
  },
];

export const GENERAL_PATHWAY: Pathway = {
  name: 'general',
  urgency: 'general',
  signs: [],
  lines: [
    'Thank you for telling me. When did it start, and has anything like it happened before?',
    'How bad is it, on a scale from 0 to 10? Does anything make it better or worse?',
    'Do you have any other symptoms, such as fever or tiredness?',
    'Put your legs up when you can, rest, and drink plenty of water.',
    'Do you have any chest pain, or do you wake up breathless at night?',
    'If it is no better in a few days, please make an appointment with your doctor.',
  ],
};

/** Kind words for what any patient may say, in any conversation. */
export const COURTESIES: readonly Remark[] = [
  { when: /\b(?:scared|afraid|terrified|worr(?:y|ied))\b/i, say: 'I understand that this is worrying.' },
  { when: /\bno allergies\b/i, say: 'Thank you, I have noted that there are no allergies.' },
  { when: /\b(?:everything i can tell|all i know|anything else)\b/i, say: 'Thank you, that helps.' },
];

/** Children and pregnancy: the demo clinic agent knows the common questions, and misses what is rare. */
export const FAMILY_PATHWAYS: readonly Pathway[] = [
  {
    name: 'fever in a baby',
    urgency: 'specific',
    signs: [/\b(?:baby|infant|newborn)\b/i, /\b(?:hot|fever|temperature)\b/i],
    remarks: [
      {
        when: /\bparacetamol\b/i,
        say: 'Please do not wait until tomorrow, even if paracetamol brings the temperature down.',
      },
    ],
    lines: [
      'How old is the baby, and what is {their} temperature?',
      'A fever in a baby under three months can be serious. Please take {them} to the emergency department now, even if {they} {do} not look ill.',
      'How is {they} feeding, and how many wet nappies {have} {they} had today?',
      '{Do} {they} have a rash? {Are} {they} drowsy or hard to wake?',
      'Take a spare nappy and the vaccination record with you.',
      'If {they} {are} pale or blue or {have} to work for breath, call an ambulance.',
    ],
  },
  {
    name: 'swallowed object',
    urgency: 'specific',
    signs: [/\bswallowed\b/i],
    lines: [
      'Try not to worry: most small things that children swallow pass by themselves. When did it happen?',
      '{Are} {they} having any trouble breathing, or did {they} choke?',
      'You can wait for it to pass. Look through the nappies for the next three days.',
      'Soft food such as bread and porridge helps it along, with plenty of water.',
      'If {they} {have} a tummy ache or it has not come out after a week, please see your doctor.',
      'How {are} {they} at the moment?',
    ],
  },
  {
    name: 'stomach bug',
    urgency: 'specific',
    signs: [/\b(?:throwing up|vomit\w*|diarrhoea|stomach bug)\b/i],
    lines: [
      'How often {have} {they} been sick, and is there any blood in the vomit or stools?',
      '{Are} {they} alert, and how much urine {have} {they} passed today?',
      'Give small sips of an oral rehydration solution every few minutes, and do not force food.',
      'Better no cola or juice: the sugar makes diarrhoea worse.',
      'Get help at once if {they} {are} drowsy, {have} passed no urine for eight hours or {have} blood in the stools.',
      'It usually settles within two or three days. Wash your hands well.',
    ],
  },
  {
    name: 'pregnancy',
    urgency: 'specific',
    signs: [/\b(?:pregnan\w+|midwife|\d+ weeks)\b/i],
    remarks: [
      {
        when: /\b(?:fainted|shoulder)\b/i,
        say: 'Fainting or shoulder pain in early pregnancy is an emergency: please call emergency services now.',
      },
      { when: /\bflashing lights\b/i, say: 'Flashing lights together with a headache need to be checked today.' },
      { when: /\btomorrow\b/i, say: 'You are not a nuisance at all.' },
    ],
    lines: [
      'Thank you for writing. Have you had any bleeding or waters breaking, and how bad is the pain?',
      'Is the baby moving as usual, if you can feel it already?',
      'Do you feel dizzy, or have you noticed any swelling of your face or hands?',
      'Have you had a scan yet, and what was your last blood pressure?',
      'Please call your maternity unit now and tell them what you told me; they will want to see you.',
      'Until then rest on your left side and keep your notes at hand.',
    ],
  },
];
