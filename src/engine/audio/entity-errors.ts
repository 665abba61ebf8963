import { editDistance } from '../../domain';
import { countOf, type Count } from './figures';
import { entitiesIn, entitiesOfCard, idOf, idsOf, type EntityKind, type SpokenEntity } from './spoken-entities';
import { comparableWords } from './spoken-text';

/** A turn as the two sides have it. */
export interface HeardTurn {
  /** What the patient said. */
  readonly said: string;
  /** What the agent heard of it; null where the agent does not tell. */
  readonly heard: string | null;
  /** What the agent answered. */
  readonly reply: string;
}

/** An entity of the role card, said in a turn. */
export interface EntityMention {
  /** The turn, from 0. */
  readonly turn: number;
  readonly kind: EntityKind;
  /** The same for all ways to say it: `40 milligram`, `warfarin`. */
  readonly key: string;
  /** As it was said. */
  readonly text: string;
  /** `unknown`: the agent does not tell what it heard. */
  readonly outcome: 'heard' | 'wrong' | 'missing' | 'unknown';
  /** What was heard in its place; null unless the outcome is `wrong`. */
  readonly heardAs: string | null;
  /** Wrong or missing, and neither heard rightly later nor said rightly by the agent. */
  readonly isUnrecovered: boolean;
  /** How the agent said it afterwards, in this turn or later; null: not at all. */
  readonly readBack: 'right' | 'wrong' | null;
}

export interface EntityErrors {
  readonly mentions: readonly EntityMention[];
  /** Of the mentions that can be measured: those that were heard wrongly or not at all. */
  readonly errors: Count;
  /** Of the same: those that were not put right. */
  readonly unrecovered: Count;
  /** Of all mentions: those that the agent said rightly afterwards. */
  readonly readBack: Count;
  readonly errorsByKind: Readonly<Record<EntityKind, Count>>;
}

/** The gate lets a patient say a few sentences; what an agent claims to have heard may be any length. */
const MOST_MENTIONS_A_TURN = 50;
const MOST_CANDIDATES = 500;
/** The longest name that is compared letter by letter. */
const LONGEST_NAME = 40;

/**
 * Which medicines, doses, times and allergies of the role card arrived, in English: no model is asked. A text is read once, and each
 * mention is looked up, so that the time grows with the length of the texts.
 *
 * Medicines are known by a list of names and by the endings of international names: a name that is neither is not measured.
 */
export function entityErrors(card: string, turns: readonly HeardTurn[]): EntityErrors {
  const { keys, allergens } = entitiesOfCard(card);
  const read = turns.map(({ said, heard, reply }) => ({
    said: entitiesIn(said, allergens),
    heard: heard === null ? null : entitiesIn(heard, allergens),
    reply: [...idsIn(entitiesIn(reply, allergens)), ...comparableWords(reply)],
  }));
  const mentions: EntityMention[] = [];
  // From the last turn to the first, so that what was heard and said later is known.
  const heardLater = new Set<string>();
  const saidLater = new Set<string>();
  for (const [turn, { said, heard, reply }] of [...read.entries()].toReversed()) {
    for (const id of reply) saidLater.add(id);
    const ofCard = said.filter((entity) => keys.has(idOf(entity))).slice(0, MOST_MENTIONS_A_TURN);
    const places = heard === null ? null : new HeardPlaces(said, heard, turns[turn]);
    for (const entity of ofCard.toReversed()) {
      const id = idOf(entity);
      const found = places?.find(entity) ?? { outcome: 'unknown' as const, heardAs: null };
      const isError = found.outcome === 'wrong' || found.outcome === 'missing';
      const isRight = saidLater.has(id);
      const { heardAs } = found;
      // A name that is not in the list is a word.
      const isWrong = heardAs !== null && (saidLater.has(idOf(heardAs)) || saidLater.has(heardAs.key));
      mentions.push({
        turn,
        kind: entity.kind,
        key: entity.key,
        text: entity.text,
        outcome: found.outcome,
        heardAs: heardAs?.text ?? null,
        isUnrecovered: isError && !isRight && !heardLater.has(id),
        readBack: isRight ? 'right' : isWrong ? 'wrong' : null,
      });
    }
    for (const id of idsIn(heard ?? [])) heardLater.add(id);
  }
  return summary(mentions.toReversed());
}

function summary(mentions: readonly EntityMention[]): EntityErrors {
  const isError = ({ outcome }: EntityMention) => outcome === 'wrong' || outcome === 'missing';
  const measured = mentions.filter(({ outcome }) => outcome !== 'unknown');
  const errorsOf = (kind: EntityKind) => {
    const ofKind = measured.filter((mention) => mention.kind === kind);
    return countOf(ofKind.length, ofKind.filter(isError).length);
  };
  return {
    mentions,
    errors: countOf(measured.length, measured.filter(isError).length),
    unrecovered: countOf(measured.length, measured.filter(({ isUnrecovered }) => isUnrecovered).length),
    readBack: countOf(mentions.length, mentions.filter(({ readBack }) => readBack === 'right').length),
    errorsByKind: {
      medicine: errorsOf('medicine'),
      dose: errorsOf('dose'),
      time: errorsOf('time'),
      allergy: errorsOf('allergy'),
    },
  };
}

const idsIn = (entities: readonly SpokenEntity[]) => new Set(entities.flatMap(idsOf));

interface Place {
  readonly outcome: EntityMention['outcome'];
  readonly heardAs: SpokenEntity | null;
}

/** What was heard of one turn. What stands in the place of one entity is not taken for another. */
class HeardPlaces {
  private readonly ids: ReadonlySet<string>;
  /** Heard, but not said. */
  private readonly strangers: SpokenEntity[];
  private readonly strangeWords: readonly string[];

  constructor(said: readonly SpokenEntity[], heard: readonly SpokenEntity[], turn: HeardTurn | undefined) {
    this.ids = idsIn(heard);
    const saidIds = idsIn(said);
    this.strangers = heard.filter((entity) => !saidIds.has(idOf(entity)));
    const saidWords = new Set(comparableWords(turn?.said ?? ''));
    const words = new Set(comparableWords((turn?.heard ?? '').slice(0, MOST_CANDIDATES * 20)));
    this.strangeWords = [...words].filter((word) => word.length >= 4 && !saidWords.has(word)).slice(0, MOST_CANDIDATES);
  }

  find(entity: SpokenEntity): Place {
    if (this.ids.has(idOf(entity))) return { outcome: 'heard', heardAs: null };
    const heardAs = this.inPlaceOf(entity);
    return { outcome: heardAs === null ? 'missing' : 'wrong', heardAs };
  }

  private inPlaceOf(entity: SpokenEntity): SpokenEntity | null {
    const unit = unitOf(entity);
    const alike = this.strangers.filter(({ kind }) => kind === entity.kind);
    const stranger = alike.find((other) => unitOf(other) === unit) ?? alike[0];
    if (stranger !== undefined) {
      this.strangers.splice(this.strangers.indexOf(stranger), 1);
      return stranger;
    }
    const isName = entity.kind === 'medicine' || entity.kind === 'allergy';
    const misheard = isName ? this.strangeWords.find((word) => isMisheard(entity.text.toLowerCase(), word)) : undefined;
    return misheard === undefined ? null : { kind: entity.kind, key: misheard, text: misheard };
  }
}

const unitOf = ({ key }: SpokenEntity) => key.replace(/^[\d.]+ /, '');

/** Whether at most a third of the letters differ. */
function isMisheard(name: string, word: string): boolean {
  const most = Math.floor(name.length / 3);
  if (name.length > LONGEST_NAME || Math.abs(name.length - word.length) > most) return false;
  return editDistance(name, word) <= most;
}
