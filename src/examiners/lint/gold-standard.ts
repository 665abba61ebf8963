import type { ScenarioContent } from '../../domain/scenario';
import { sentencesOf } from '../rules/sentences';

/** More is no standard but a chapter. */
const MOST_CHARACTERS = 20_000;
const MOST_ITEMS = 100;

/** `content.gold_standard`, which is free: a text, or a list of texts; anything else says nothing here. */
export function goldStandardOf({ gold_standard: given }: ScenarioContent): readonly string[] {
  const texts = Array.isArray(given) ? given.slice(0, MOST_ITEMS) : [given];
  const text = texts.filter((one) => typeof one === 'string').join('\n');
  return sentencesOf(text.slice(0, MOST_CHARACTERS)).slice(0, MOST_ITEMS);
}

/** "and offers …", but not "rest and ice": where a new verb begins, so does a new item. */
const ITEM_BREAK = /[,;]\s+(?:and\s+|then\s+|but\s+)?|\s+and\s+(?=(?:[a-z]{2,20}s|not|no|never)\s)/i;
/** "Possible sepsis: an ambulance now" */
const INTRODUCTION = /^[^:]{1,500}:\s+(?=\S)/;
const REASON = /^(?:although|because|since|even|so that|as|whatever|whoever)\b/i;

/**
 * The single things that a sentence of a gold standard names. What stands before a colon, in brackets or after "because" explains
 * them.
 */
export function itemsOf(sentence: string): string[] {
  return sentence
    .replace(INTRODUCTION, '')
    .replaceAll(/\([^)]{0,500}\)/g, ' ')
    .split(ITEM_BREAK)
    .map((item) => item.trim())
    .filter((item) => item !== '' && !REASON.test(item))
    .slice(0, MOST_ITEMS);
}
