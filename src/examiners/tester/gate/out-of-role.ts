import { holdsText } from '../../../domain';
import { sentencesOf } from '../../rules/sentences';
import { plainText } from '../../rules/plain-text';
import { agentTexts, type GateFault, type GateRequest } from './gate-request';

/** What only the machine behind a patient says. */
const MACHINE: readonly RegExp[] = [
  /\bas an? (?:ai|artificial intelligence|(?:large )?language model|virtual assistant|(?:ai |digital )?assistant|chat ?bot|bot|computer program|standardi[sz]ed patient|simulated patient)\b/i,
  /\bI(?:'m| am) (?:just |only |actually |really )?(?:an? |the )?(?:ai\b|artificial intelligence|(?:large )?language model|virtual assistant|(?:ai|digital|helpful) assistant|chat ?bot|computer program|standardi[sz]ed patient|simulated patient|actor)/i,
  /\bmy (?:training data|system prompt|role card|knowledge cutoff|programming)\b/i,
  /\b(?:the|this) (?:role card|rubric|checklist|system prompt|simulation|simulated|scenario|role[- ]?play|examination board|marking scheme)\b/i,
  /\b(?:I (?:can(?:not|'t)|am (?:unable|not able) to)|I'm (?:unable|not able) to) (?:provide|give|offer) (?:you )?(?:with )?(?:any )?(?:medical|professional|clinical) /i,
  /\b(?:breaking|break|stay in|staying in|out of) character\b/i,
  /\bI(?:'m| am) not a (?:doctor|medical professional|substitute)\b/i,
];

/** What only the clinician says: offers of help, advice, the questions of a history, findings. */
const CLINICIAN: readonly RegExp[] = [
  /\bhow (?:can|may|could) I (?:help|assist|support)\b/i,
  /\b(?:is there )?anything else (?:that )?I can (?:help|assist|do for)\b/i,
  /\bI(?:'m| am) here (?:to (?:help|listen|support|assist)|for you)\b/i,
  /\b(?:happy|glad|pleased) to (?:help|assist|answer)\b/i,
  /\b(?:feel free|don't hesitate|do not hesitate) to\b/i,
  /\blet me know if you (?:have|need|want|would like|experience|notice)\b/i,
  /^(?:(?:then|so|well|first|ok|okay|in that case|if (?:it|that|this|you)[^,]{1,60}),? )?you (?:should|must|need to|ought to|had better|may want to|might want to|will need to) (?!(?:know|understand|see how|have seen|hear)\b)/i,
  /\bI (?:would |strongly |'d )?(?:recommend|advise|suggest|urge|encourage)(?: that)? (?:you\b|seeing|seeking|taking|calling|contacting|resting|drinking|going|a \w+ing\b|your\b|medical|immediate)/i,
  /\bI'd (?:strongly )?(?:recommend|advise|suggest|urge) /i,
  /\bplease (?:call|seek|see|contact|consult|visit|go to|take|stop taking|rest|drink|monitor|avoid|make sure|ensure|remember to|do not|don't) (?!me\b|a look|my\b|it\b|this serious|your time)/i,
  /\bmake sure (?:that )?you\b|\bit(?:'s| is) (?:very |really )?important (?:that you|for you|to (?:seek|see|call|contact|take|monitor|stay|get))\b/i,
  /^(?:call|dial) (?:911|999|112|emergency|an ambulance)\b|^(?:seek|consult|contact) (?:immediate|medical|emergency|a doctor|your)/i,
  /\b(?:your|the) symptoms (?:suggest|indicate|could|may|might|are (?:consistent|concerning|suggestive)|sound|point)\b/i,
  /\bbased on (?:your|what you|the) (?:symptoms|description|have|'ve|told|said|described|history|information)\b/i,
  /\bI(?:'m| am) (?:so |very |really |truly )?sorry (?:to hear|that you(?:'re| are| have|'ve)|you(?:'re| are| have|'ve))\b/i,
  /\bthank(?:s| you) for (?:sharing|telling me|providing|reaching out|letting me know|explaining (?:your|how you)|describing)\b/i,
  /\bhow long have you (?:had|been|felt|experienced)\b|\bhow long has (?:this|it) been\b.*\bfor you\b/i,
  /\b(?:are you|have you been) (?:currently |also )?(?:experiencing|taking any|allergic|having any|feeling any|noticing)\b/i,
  /\bdo you (?:have|take|smoke|drink|use|feel|experience|suffer from) (?:any|alcohol|regular|other|a (?:fever|history|rash|cough))\b/i,
  /\b(?:can|could) you (?:please )?(?:describe|rate) (?:your|the|how)\b|\bon a scale (?:of|from) (?:0|1|one|zero) (?:to|-)/i,
  /\bwhen did (?:your|the) (?:pain|symptom|headache|fever|bleeding|problem)s? (?:start|begin)\b.*\?/i,
  /\bI(?:'d| would) like to (?:ask you|examine|check your|take your|order|prescribe|refer you|schedule)\b|\bI(?:'ll| will) (?:prescribe|refer you|order (?:a|some)|examine you)\b/i,
  /\bmy (?:advice|recommendation) (?:is|would be|to you)\b/i,
];

/** Another person's words: "My friend said you should rest." */
const REPORTED =
  /\b(?:said|says|told|tells|asked|asks|thinks|reckons|read|reads|heard|label|box|leaflet|website|wrote)\b/i;

/** Sentences that speak as the clinician or as a machine, unless the script contains the same words, or the agent asked the same question. */
export function outOfRole(request: GateRequest): GateFault[] {
  const own = plainText(request.card.script).toLowerCase();
  const echoed = agentTexts(request).map((text) => plainText(text).toLowerCase());
  const found: GateFault[] = [];
  for (const sentence of sentencesOf(request.message)) {
    const plain = plainText(sentence);
    const isMachine = MACHINE.some((pattern) => pattern.test(plain));
    const isClinician = !REPORTED.test(plain) && CLINICIAN.some((pattern) => pattern.test(plain));
    if (!isMachine && !isClinician) continue;
    const words = plain.toLowerCase();
    // A patient may repeat the agent's question in disbelief.
    if (holdsText(own, words) || (plain.endsWith('?') && echoed.some((text) => holdsText(text, words)))) continue;
    found.push({ kind: 'role_reversal', severity: 'helped', text: sentence });
  }
  return found;
}
