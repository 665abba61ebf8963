import type { InterjectionKind } from '../../agents';

/** What a patient says that stands in no script. */
interface Phrases {
  /** To the agent, while it speaks: a reason to stop. */
  readonly interruption: readonly string[];
  /** To the agent, while it speaks: no reason to stop. */
  readonly backchannel: readonly string[];
  /** To somebody else in the room. */
  readonly aside: readonly string[];
}

/** Spelt so that espeak-ng says them: it reads "mm-hm" letter by letter. */
const ENGLISH: Phrases = {
  interruption: ['Sorry, wait a moment.', 'Sorry, can you say that again?', 'Hold on, please.'],
  backchannel: ['Uh-huh.', 'Okay.', 'Yeah.'],
  aside: ['Not now, please.', 'I am on the phone.', 'Just a minute.'],
};

const BY_LANGUAGE: Readonly<Record<string, Phrases>> = {
  en: ENGLISH,
  de: {
    interruption: ['Moment, bitte.', 'Entschuldigung, können Sie das wiederholen?', 'Warten Sie bitte.'],
    backchannel: ['Aha.', 'Okay.', 'Ja.'],
    aside: ['Jetzt nicht, bitte.', 'Ich telefoniere gerade.', 'Einen Moment noch.'],
  },
  es: {
    interruption: ['Perdone, espere un momento.', '¿Puede repetirlo, por favor?', 'Espere, por favor.'],
    backchannel: ['Ajá.', 'Vale.', 'Sí.'],
    aside: ['Ahora no, por favor.', 'Estoy al teléfono.', 'Un minuto.'],
  },
  fr: {
    interruption: [
      'Pardon, attendez un instant.',
      'Pouvez-vous répéter, s’il vous plaît ?',
      'Attendez, s’il vous plaît.',
    ],
    backchannel: ['Ah oui.', 'D’accord.', 'Oui.'],
    aside: ['Pas maintenant, s’il te plaît.', 'Je suis au téléphone.', 'Une minute.'],
  },
  it: {
    interruption: ['Scusi, aspetti un momento.', 'Può ripetere, per favore?', 'Aspetti, per favore.'],
    backchannel: ['Aha.', 'Va bene.', 'Sì.'],
    aside: ['Non adesso, per favore.', 'Sono al telefono.', 'Un minuto.'],
  },
  nl: {
    interruption: ['Sorry, een moment.', 'Kunt u dat herhalen, alstublieft?', 'Wacht even, alstublieft.'],
    backchannel: ['Aha.', 'Oké.', 'Ja.'],
    aside: ['Nu niet, alsjeblieft.', 'Ik ben aan het bellen.', 'Een minuutje.'],
  },
  pt: {
    interruption: ['Desculpe, espere um momento.', 'Pode repetir, por favor?', 'Espere, por favor.'],
    backchannel: ['Aham.', 'Está bem.', 'Sim.'],
    aside: ['Agora não, por favor.', 'Estou ao telefone.', 'Um minuto.'],
  },
};

/** The phrases of a language; null where there are none in it: such a patient neither interrupts nor speaks to others. */
export function phrasesOf(language: string): Readonly<Record<InterjectionKind | 'aside', readonly string[]>> | null {
  return BY_LANGUAGE[mainPartOf(language)] ?? null;
}

const NORWEGIAN = 'Hei, jeg har hatt vondt i brystet i to timer, og smerten er sju av ti.';

/**
 * By language, what is said and heard before anything rings: common words, a time and a number. Without its own, a voice of another
 * language would say English words that an ear of that language does not know.
 */
const CONTROL_SENTENCES: Readonly<Record<string, string>> = {
  en: 'Hello, my chest has been hurting for two hours, and the pain is seven out of ten.',
  cs: 'Dobrý den, už dvě hodiny mě bolí na hrudi, a bolest je sedm z deseti.',
  da: 'Hej, jeg har haft ondt i brystet i to timer, og smerten er syv ud af ti.',
  de: 'Hallo, meine Brust tut seit zwei Stunden weh, und der Schmerz ist sieben von zehn.',
  el: 'Γεια σας, πονάει το στήθος μου εδώ και δύο ώρες, και ο πόνος είναι επτά στα δέκα.',
  es: 'Hola, me duele el pecho desde hace dos horas, y el dolor es de siete sobre diez.',
  fi: 'Hei, rintaani on sattunut kaksi tuntia, ja kipu on seitsemän kymmenestä.',
  fr: 'Bonjour, j’ai mal à la poitrine depuis deux heures, et la douleur est de sept sur dix.',
  hu: 'Jó napot, két órája fáj a mellkasom, és a fájdalom tízből hét.',
  it: 'Buongiorno, mi fa male il petto da due ore, e il dolore è sette su dieci.',
  nb: NORWEGIAN,
  nl: 'Hallo, mijn borst doet al twee uur pijn, en de pijn is zeven van de tien.',
  no: NORWEGIAN,
  pl: 'Dzień dobry, od dwóch godzin boli mnie w klatce piersiowej, a ból to siedem na dziesięć.',
  pt: 'Olá, o meu peito dói há duas horas, e a dor é de sete em dez.',
  ro: 'Bună ziua, mă doare pieptul de două ore, iar durerea este șapte din zece.',
  ru: 'Здравствуйте, у меня уже два часа болит в груди, и боль семь из десяти.',
  sv: 'Hej, jag har haft ont i bröstet i två timmar, och smärtan är sju av tio.',
  tr: 'Merhaba, iki saattir göğsüm ağrıyor, ve ağrım on üzerinden yedi.',
  uk: 'Добрий день, у мене вже дві години болить у грудях, і біль сім з десяти.',
};

/** Every voice reads it in its own language. Recognisers write it as figures or as words, and which it was is not known. */
const COUNTING = '1, 2, 3, 4, 5, 6, 7, 8, 9, 10.';

/** What is said and heard before anything rings. */
export interface ControlText {
  readonly sentence: string;
  /** Whether what is heard of it can be compared word by word. */
  readonly isCompared: boolean;
}

/** The control sentence in a language (BCP 47); where there is none, the patient counts. */
export function controlTextOf(language: string): ControlText {
  const sentence = CONTROL_SENTENCES[mainPartOf(language)];
  return sentence === undefined ? { sentence: COUNTING, isCompared: false } : { sentence, isCompared: true };
}

/** Of a language (BCP 47) or a voice of espeak-ng what names the language: `pt` of `pt-BR`, `en` of `en-us+f3`. */
export function mainPartOf(name: string): string {
  return name.toLowerCase().split(/[-_+]/)[0] ?? '';
}

/** What people say behind the patient: the sentences do not matter, and nobody is to understand them. */
export const BACKGROUND_SENTENCES: readonly string[] = [
  'They said it would be ready on Thursday, but when I went there in the morning nobody had heard of it at all.',
  'Well, my sister lives close to the station, so we could leave the car there and walk the rest of the way.',
  'Did you see who came in just now, I am sure that we have met him somewhere, perhaps it was at the market.',
];
