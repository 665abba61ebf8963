import type { Pathway } from './pathway';

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
