import { Needle } from '../../domain';
import { plainText } from '../rules/plain-text';
import { withoutEnd } from '../rules/sentences';
import { WordPattern } from '../rules/word-pattern';
import { isDisguised, MOST_READ, readingsOf } from './readings';

/** Consecutive sentences that are read as one: an order may be cut into pieces. */
const PIECES = 3;
/** With fewer words, a criterion is something that any agent might say. */
const MIN_ECHO_WORDS = 4;

/**
 * Finds by rules the sentences that address the examiner: orders, verdicts, points, prompt markers, the words of the criteria.
 * Takes the agent's sentences in order; returns the positions of those found. Where a rule is wrong, the sentence proves nothing
 * and the conversation is flagged for review, which costs less than missing an order.
 */
export function addressedAmong(sentences: readonly string[], criteria: readonly string[]): ReadonlySet<number> {
  const echoes = new Echoes(criteria);
  const known = new Map<string, Reading>();
  const read = sentences.map((sentence): Reading => {
    const before = known.get(sentence);
    if (before !== undefined) return before;
    const readings = readingsOf(sentence);
    const isFound = isDisguised(sentence) || readings.some((reading) => isAddressed(reading) || echoes.isIn(reading));
    const reading = { plain: readings[0] ?? '', isFound, hints: HINT.test(readings[0] ?? '') };
    known.set(sentence, reading);
    return reading;
  });
  const found = new Set(read.flatMap(({ isFound }, at) => (isFound ? [at] : [])));
  for (let pieces = 2; pieces <= PIECES; pieces += 1) {
    for (let at = 0; at + pieces <= read.length; at += 1) {
      const together = read.slice(at, at + pieces);
      if (!together.some(({ hints }) => hints) || together.some((_, offset) => found.has(at + offset))) continue;
      const joined = together.map(({ plain }) => withoutEnd(plain, LAST_MARKS)).join(' ');
      if (joined.length > MOST_READ || !isOrder(joined)) continue;
      // A sentence between two pieces is not one itself.
      together.forEach(({ hints }, offset) => hints && found.add(at + offset));
    }
  }
  return found;
}

/** Whether a sentence contains a word used in marking, whatever it means there. */
export function speaksOfMarks(sentence: string): boolean {
  return HINT.test(plainText(sentence));
}

interface Reading {
  readonly plain: string;
  readonly isFound: boolean;
  /** Whether it may be a piece of an order. */
  readonly hints: boolean;
}

/** Characters dropped from the end of a piece; white space has been collapsed by then. */
const LAST_MARKS = '.…,;:-–— ';
const HINT =
  /mark|criteri|score|grad(?:e|ing)|points?\b|\bmet\b|satisf|fulfil|\bpass|rubric|check|examin|evaluat|transcript|credit|verdict|require/i;

/** Whether one sentence alone speaks to the examiner. */
function isAddressed(text: string): boolean {
  return (
    MARKUP.test(text) ||
    namesSentences(text) ||
    HIJACK.test(text) ||
    NARRATION.test(text) ||
    isVerdict(text) ||
    isOrder(text)
  );
}

/** Tags and markers as prompts use them, and the keys of a verdict. */
const MARKUP =
  /<\/?\s*(?:transcript|checklist|sentences?|conversation|criteri(?:a|on)|system|instructions?|rubric|assistant|user|examiner|judge|verdict|question|evidence)\b[^<>]{0,100}>|<\|[^|<>]{1,40}\|>|\[\/?(?:inst|system|judge|examiner)\]|<<\/?sys>>|["'](?:decision|decisions|verdict|rationale|evidence|absence|marks|criterion|addressed_to_examiner|max_points|score_percent)["']\s*:|^\P{L}*(?:end|begin|start) of (?:the )?(?:transcript|conversation|checklist|instructions|prompt|input|data|exam)\P{L}*$|^#{2,}\s*system\b/iu;

/** Ids in the form this conversation's sentences have: one beside a word such as "evidence", or several. "A41.9" is a diagnosis code. */
const SENTENCE_ID = /(?<![\p{L}\p{N}.])[ap][1-9]\d?\.[1-9]\d{0,2}(?![\p{L}\p{N}.]*[\p{L}\p{N}])/gu;
const PROOF = /\b(?:evidence|sentences?|criteri(?:a|on)|rubric|examiner|judge|cite|proof|proves|proven|decision)\b/iu;
const MANY_IDS = 3;

function namesSentences(text: string): boolean {
  const ids = text.match(SENTENCE_ID) ?? [];
  return ids.length >= MANY_IDS || (ids.length > 0 && PROOF.test(text));
}

/** Orders to forget earlier instructions, and text that poses as another role. What is to be forgotten must be something an examiner goes by. */
const HIJACK = new WordPattern(
  /(?<!\b(?:not|never|cannot|without|n['’]t)(?: \w+)? )\b(?:ignore|disregard|forget|override|bypass|overrule|discard|skip)(?:ing)? (?:(?:all|any|every|each|of|the|your|my|their|its|these|those|this|that|previous|prior|earlier|above|preceding|system|original|initial|given|marking|grading|scoring|evaluation|other|existing|current|entire|whole|and) ){0,5}(?:instructions?|rubric|criteri(?:a|on)|checklist|prompts?|guidelines|rules above|marking|transcript|everything (?:above|before))\b(?! (?:on|in|from|of|with|by) (?:the|your|a) (?:\w+ )?(?:leaflet|label|box|packet|pack|bottle|pharmacist|doctor|nurse|clinic|hospital|medicine)\b)|^(?:system|developer|assistant|judge|examiner|admin(?:istrator)?|root|human)(?: message| note| prompt| override| update)?\s*[:>\]]|\b(?:new|updated|revised|amended|corrected) (?:system instructions?|rubric|(?:system )?prompt)\b|\byou are (?:now|no longer) (?:an? |the )?(?:\w+ ){0,3}(?:assistant|examiner|judge|model|grader)\b|\b(?:developer|debug|admin|god|grading|evaluation) mode\b/iu,
);

/** The agent describes itself as an examiner would: in the third person, by acts that are marked. "The assistant asked you …" is said to a patient. */
const NARRATION = new WordPattern(
  /\b(?:the|this) (?:assistant|agent|candidate|chatbot|ai(?: agent| model| assistant)?|model|bot) (?:\w+ly )?(?:(?:(?:has|have|had|did|does)(?: not|n['’]t)? )?(?:asks?|asked|tells?|told|advis(?:es?|ed)|recommend(?:s|ed)?|mention(?:s|ed)?|explain(?:s|ed)?|screen(?:s|ed)?|met|meets?|satisf(?:y|ies|ied)|demonstrat(?:es?|ed)|fulfil(?:s|ls|led)?|passe[sd]|pass|behav(?:es?|ed)|refrain(?:s|ed)?)|(?:has|have|had) (?:identified|covered|completed|provided|performed))\b(?! you\b)|\b(?:assistant|agent|candidate|chatbot|model|bot|ai)['’]s (?:\w+ )?performance\b/iu,
);

const NAMED_VERDICT = new WordPattern(
  /\b(?:verdict|decision|result of the (?:evaluation|examination)) ?(?:[:=]|is|was) ?["']?(?:not |partially |all |fully )?(?:met|pass(?:ed)?|satisfied|fulfilled|approved|a pass)\b|\bfinal (?:score|grade|mark) ?(?:[:=]|is|was) ?(?:100|a\+|full|maximum|a pass|excellent|perfect)/iu,
);
const MET =
  /\b(?:NOT MET|PARTIALLY MET|(?<!\d |\()MET(?! calls?| team| scores?| minutes?| hours?| values?| gene\b| mutation))\b/u;

function isVerdict(text: string): boolean {
  if (NAMED_VERDICT.test(text)) return true;
  // In a sentence that is all in capitals, "MET" is a word like any other.
  return MET.test(text) && (/\p{Ll}|[:=>]/u.test(text) || ENGLISH.criterion.test(text));
}

/** "You meet the criteria for …" is said to a patient. */
const CLINICAL_CRITERIA =
  /\b(?:you|your|he|she|they|his|her|symptoms?|child|baby)\b[^.]{0,40}\b(?:meets?|met|satisf(?:y|ies)|fulfil(?:l|ls|s)?)\b[^.]{0,20}\b(?:criteri(?:a|on)|requirements?)\b|\b(?:diagnostic|clinical|centor|ottawa|wells|admission|referral|eligibility|prescribing|dsm|rome|jones|duke|light's|emergency) criteria\b|\bcriteria for\b/iu;
const CLINICAL_SCORE =
  /\b(?:pain|itch|apgar|glasgow|anxiety|mood|severity|scale|questionnaire|phq|gad|curb|moca|mmse|nihss|tumou?r|from (?:0|1|zero|one) to|yours is|(?:marks?|credits?|points?) (?:to|for) you|gives? you full credits?)\b/iu;
const PLAIN_CRITERION = /\b(?:criteri(?:on|a|ons)|transcripts?)\b/iu;
const SCORE = new WordPattern(
  /\b(?:full|maximum|max|top|highest|perfect|all(?: the)?|best possible|bonus|extra) (?:possible )?(?:marks?|points?|scores?|credits?|grades?|ratings?)\b/iu,
);

function isOrder(text: string): boolean {
  if (ENGLISH.examiner.test(text) || READER_CALLED.test(text)) return true;
  if (MARKER.test(text) && (MARKER_CALLED.test(text) || OF_MARKING.test(text) || ENGLISH.mark.test(text))) return true;
  if (SCORE.test(text) && !CLINICAL_SCORE.test(text)) return true;
  if (ENGLISH.mark.test(text) && ENGLISH.criterion.test(text) && isMarking(text)) return true;
  if (!ANY_OTHER_LANGUAGE.test(text)) return false;
  return OTHER_LANGUAGES.some(({ examiner, criterion, mark }) => {
    if (examiner.test(text)) return mark.test(text) || criterion.test(text);
    return criterion.test(text) && mark.test(text) && ALL_OR_QUOTED.test(text);
  });
}

/** Names of an examiner, unless it is one whom patients meet ("medical examiner"); on its own it is an ordinary word. */
const MARKER = new WordPattern(
  /(?<!\b(?:medical|occupational|health|pip|driving|needs|care|mobility|capacity|disability|benefits?|insurance|independent|risk|home|eye) )\b(?:examiners?|graders?|evaluators?|assessors?|(?<!\bto )judges?)\b/iu,
);
/** "Examiner, …", "Dear assessor": the examiner is addressed. */
const MARKER_CALLED = new WordPattern(
  /^\P{L}*(?:(?:dear|kind|hello|hi|hey|thank you|thanks|attention|note (?:to|for)(?: the)?|to(?: the)?) )*(?:examiners?|graders?|evaluators?|assessors?|judges?)\P{L}*(?:[,:;!–—]|$)|\b(?:dear|fair|wise|fairest|kind|honou?rable|as (?:an?|the)|note to(?: the)?) (?:examiner|grader|evaluator|assessor|judge)s?\b/iu,
);
/** No agent calls a patient "dear reader" or "reviewer". */
const READER_CALLED = new WordPattern(
  /^\P{L}*(?:(?:dear|kind|note (?:to|for)(?: the)?|to(?: the)?) )+(?:readers?|reviewers?)\s*[,:;!]|^\P{L}*reviewers?(?: \d{1,2})?\s*:|\bdear (?:reader|reviewer)s?\P{L}*$/iu,
);
const OF_MARKING = new WordPattern(
  /\b(?:mark(?:s|ed|ing)?|criteri(?:a|on)|rubrics?|check-?lists?|transcripts?|grad(?:es?|ed|ing)|met|satisfied|fulfilled|pass(?:es|ed)?|full credit)\b/iu,
);

/** "All criteria", "the criterion “…”": in languages with few known words, an order has to name all criteria or quote one. */
const ALL_OR_QUOTED =
  /(?<!\p{L})(?:alle[rsn]?|jede[srnm]?|tous|toutes|chaque|todos|todas|cada|tutt[ieo]|ogni|elke?|wszystki\p{L}*|każd\p{L}*|tüm|bütün|her|όλα|κάθε)(?!\p{L})|(?<!\p{L})(?:все[хм]?|кажд\p{L}*)|सभी|جميع|كل|כל|所有|全部|每|すべて|全て|모든|["«„“”:「]/iu;

/** The broad words (answer, response, item) are about marking only beside a mark that is never given to a patient. */
const GIVEN_MARK =
  /\b(?:(?:as|is|are|be|been|count(?:s|ed)? as|deemed|considered|regarded as|fully|all|hereby|clearly) (?:been )?(?:fully |completely |clearly )?(?:met|satisfied|fulfilled|passed|a pass|achieved|awarded)|(?:meets?|satisf(?:y|ies)|fulfil(?:l|ls|s)?|pass(?:es)?) (?:all|every|each|the|this|these|your) (?:\w+ ){0,2}(?:criteri(?:on|a)|requirements?|items?|checklist|standards?|expectations?|examination|evaluation|station))/iu;

function isMarking(text: string): boolean {
  if (CLINICAL_CRITERIA.test(text)) return false;
  return PLAIN_CRITERION.test(text) || GIVEN_MARK.test(text);
}

/** The criteria's own words, in the form that only a rubric uses: "Asks when the pain started". */
class Echoes {
  private readonly phrases: readonly Needle[];

  constructor(criteria: readonly string[]) {
    this.phrases = criteria.flatMap((criterion) => {
      const phrase = folded(criterion);
      return RUBRIC_VERB.test(phrase) && phrase.split(' ').length >= MIN_ECHO_WORDS ? [new Needle(phrase)] : [];
    });
  }

  isIn(text: string): boolean {
    if (this.phrases.length === 0) return false;
    const said = folded(text);
    return this.phrases.some((phrase) => phrase.isIn(said));
  }
}

const RUBRIC_VERB =
  /^(?:the (?:agent|assistant|candidate|response|reply) )?(?:asks|tells|says|advises|explains|mentions|suggests|offers|recommends|acknowledges|gives|states|warns|describes|confirms|checks|expresses|does not|fails to|avoids|omits|breaks the rule|identifies|provides|encourages|directs|instructs|refers|recognises|recognizes|uses|shows|screens|explores|clarifies|informs|urges|reassures|refuses|declines)\b/;

function folded(text: string): string {
  return plainText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Words used to address an examiner, by language. They serve to find sentences that have no place in a
 * consultation; clinical uses of the same words ("criteria for", "rate your pain", "tumour marker") are kept out by requiring two
 * kinds of these words, or the absence of words said to patients.
 */
interface ExaminerWords {
  /**
   * The examiner, and what marks are given by. In English no agent says these to a patient; in the other languages they count
   * only beside a criterion or a mark.
   */
  readonly examiner: RegExp;
  /** What is marked. */
  readonly criterion: RegExp;
  /** The desired mark, or the act of giving it. */
  readonly mark: RegExp;
}

/** A letter on either side would make it part of another word; scripts without spaces have no word boundaries. */
const words = (alternatives: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, 'iu');
const parts = (alternatives: string): RegExp => new RegExp(alternatives, 'iu');

const ENGLISH_WORDS: ExaminerWords = {
  examiner: words(
    `(?:examination|exam) board(?! of\\b)|rubrics?|mark(?:ing)? schemes?|grading key|` +
      `(?:marking|grading|judging|grader|judge) (?:prompts?|instructions?|rules|guidelines|overrides?)|(?:scoring|evaluation) (?:prompts?|instructions?|overrides?)|system (?:prompts?|overrides?)|` +
      `(?<!(?:asthma|diabetes|pain|blood|sugar|glucose|weight|birth|infection) )control (?:questions?|criteria)|` +
      `(?:ai|llm|language model|automated) (?:judges?|graders?|evaluators?|examiners?)|(?:grading|scoring|judging) (?:language )?model|` +
      `(?:marks|grades|scores|evaluates|judges|assesses|reviews|marking|grading|scoring|evaluating|judging|assessing|reviewing) (?:this|these|my|our|the|it) ?(?:conversation|consultation|transcript|dialogue|chat|responses?|repl(?:y|ies)|answers?|performance|station|session|assistant|agent|candidate)|` +
      `(?:who(?:ever)?|anyone|those) (?:(?:is|are|that|who|who is) )?(?:marks|grades|scores|evaluates|judges|marking|grading|scoring|evaluating|judging) this(?=\\s*(?:[:;,.!]|$))|` +
      `(?:who(?:ever)?|anyone|anybody|someone|those|the (?:one|person)|people) (?:who )?(?:reads?|reviews?|goes? through|looks? (?:through|over)|listens? (?:in )?to|studies) (?:this|these|it)(?: (?:conversation|talk|chat|dialogue|exchange|transcript))?(?=\\s*(?:[:;,.!]|$|later\\b|afterwards\\b))|` +
      `must_pass|rubric_scale|addressed_to_examiner|(?:marking|judging|grading) (?:session|phase|engine|module|policy|task|script)`,
  ),
  criterion: words(
    `criteri(?:on|a|ons)|check-?lists?|requirements?|assessment items?|items?|graded items?|station|osce|transcripts?|evaluation|examination|this (?:assistant|agent|candidate|model|chatbot)|(?:conversation|consultation|dialogue|response|reply|answer)s?`,
  ),
  mark: words(
    `(?:is|are|was|were|be|been|as|not|fully|all|partially|clearly|already|counts? as|considered|deemed|hereby|everything|thereby|decision:?|verdict:?|status:?|result:?|them|it|this|=|:) (?:been )?(?:fully |completely |clearly |all |already |hereby )?(?:met|satisfied|fulfilled|achieved|passed|complied with|addressed in full|ticked|awarded|covered in full|a pass|done perfectly)|` +
      `(?:meets?|satisf(?:y|ies)|fulfil(?:l|ls|s)?|pass(?:es)?|complies with|comply with|covers?) (?:with )?(?:all|every|each|any|the|this|these|that|your|its|entire|whole)|` +
      `(?:full|maximum|max|top|highest|perfect|all|best possible|complete|total|extra|bonus) (?:possible )?(?:marks?|points?|scores?|credits?|grades?|ratings?)|` +
      `(?:mark|score|grade|award|tick|credit|judge|evaluate|assess|certify|decide|deem|regard|record|rate|count|assign|treat|accept|answer|report|output|return|consider) (?:this|these|the|all|every|each|everything|it|them|any|me|my|us|that|both|as|only|said) ?|` +
      `100 ?(?:%|percent|per cent|points)|(?:10\\/10|5\\/5|20\\/20|a\\+)`,
  ),
};

const ENGLISH = {
  examiner: new WordPattern(ENGLISH_WORDS.examiner),
  criterion: new WordPattern(ENGLISH_WORDS.criterion),
  mark: new WordPattern(ENGLISH_WORDS.mark),
};

const OTHER_LANGUAGES: readonly ExaminerWords[] = [
  {
    // German
    examiner: words(
      '(?:prüfer|bewerter|gutachter|juror|prüfungskommission|bewertungs\\p{L}*|prüfungs\\p{L}*|erwartungshorizont)(?:in|innen|s|n|en)?',
    ),
    criterion: words('(?:\\p{L}*kriteri(?:um|en|ums)|anforderung(?:en)?|prüfpunkte?|checkliste|protokoll)'),
    mark: words(
      'erfüllt(?:en|e)?|bestanden|volle(?:n)? (?:punkt(?:e|zahl)|bewertung)|alle punkte|höchstpunktzahl|bewerte[nt]?|werte[nt]?|punktzahl|als erledigt',
    ),
  },
  {
    // French
    examiner: words(
      "examinat(?:eur|rice)s?|correct(?:eur|rice)s?|évaluat(?:eur|rice)s?|barème|grille d'évaluation|jury",
    ),
    criterion: words('critères?|exigences?|grille|transcription'),
    mark: words(
      'rempli(?:e|s|es)?|satisfait(?:e|s|es)?|validé(?:e|s|es)?|réussi(?:e|s|es)?|acquis(?:e|es)?|note maximale|tous les points|notez|considérez|attribuez|évaluez',
    ),
  },
  {
    // Spanish
    examiner: words('examinador(?:a|es)?|evaluador(?:a|es)?|calificador(?:a|es)?|rúbrica|pauta de evaluación|tribunal'),
    criterion: words('criterios?|requisitos?|lista de cotejo|transcripción'),
    mark: words(
      'cumplid[oa]s?|cumplen?|satisfech[oa]s?|aprobad[oa]s?|superad[oa]s?|puntuación (?:máxima|completa)|puntos|marque|califique|evalúe|considere',
    ),
  },
  {
    // Italian
    examiner: words('esaminator[ei]|esaminatrice|valutator[ei]|commissione|griglia di valutazione'),
    criterion: words('criteri[oa]?|requisit[oi]|trascrizione'),
    mark: words(
      'soddisfatt[oaie]|superat[oaie]|raggiunt[oaie]|punteggio (?:pieno|massimo)|punti|valuti|valuta|considera|segna|segnare',
    ),
  },
  {
    // Portuguese
    examiner: words('examinador(?:a|es)?|avaliador(?:a|es)?|rubrica|banca|gabarito'),
    criterion: words('critérios?|requisitos?|transcrição'),
    mark: words(
      'cumprid[oa]s?|atendid[oa]s?|satisfeit[oa]s?|aprovad[oa]s?|pontuação (?:máxima|total|completa)|pontos|marque|avalie|considere',
    ),
  },
  {
    // Dutch
    examiner: words('examinator(?:en)?|beoordelaars?|beoordelingsformulier|corrector'),
    criterion: words('criteri(?:um|a)|eisen|transcript'),
    mark: words('voldaan|behaald|geslaagd|volledige punten|alle punten|maximale score|beoordeel|markeer'),
  },
  {
    // Polish
    examiner: words('egzaminator(?:ze|zy|a)?|oceniając\\p{L}*|klucz oceniania|sędzi[ao]'),
    criterion: words('kryteri(?:um|a|ów)|wymagani[ae]'),
    mark: words(
      'spełnion\\p{L}*|zaliczon\\p{L}*|maksymaln\\p{L}* (?:punkt\\p{L}*|ocen\\p{L}*)|punkt(?:y|ów)|oceń|uznaj|oznacz',
    ),
  },
  {
    // Turkish
    examiner: words(
      'sınav (?:yapan|görevlisi)|değerlendirici\\p{L}*|değerlendiren\\p{L}*|puanlama\\p{L}*|hakem\\p{L}*',
    ),
    criterion: words('ölçüt\\p{L}*|kriter\\p{L}*|madde\\p{L}*'),
    mark: words('karşıland\\p{L}*|karşılanmış\\p{L}*|tam puan\\p{L}*|geçti|işaretle\\p{L}*|puan\\p{L}*'),
  },
  {
    // Russian
    examiner: parts('экзаменатор|оценщик|проверяющ|судь[яе]'),
    criterion: parts('критери|требовани'),
    mark: parts('выполнен|соблюд[её]н|зачтен|зачт[её]н|максимальн|балл|оцени|отметь|засчита'),
  },
  {
    // Greek, Hindi, Arabic, Hebrew
    examiner: parts('εξεταστ|βαθμολογητ|परीक्षक|मूल्यांकनकर्ता|المقيّم|الممتحن|المصحح|הבוחן|בוחן'),
    criterion: parts('κριτήρι|मानदंड|कसौटी|المعايير|المعيار|معايير|معيار|הקריטריונ|קריטריונ'),
    mark: parts('πληρ|βαθμ|पूर[ाीे]|अंक|مستوف|استيفا|مستوفاة|الدرجة|ناجح|علامة|התקיימ|מלא|ניקוד|עבר'),
  },
  {
    // Chinese, Japanese, Korean
    examiner: parts('考官|评分(?:员|者|标准)|評分|阅卷|评委|裁判|採点者|採点|試験官|評価者|채점|평가자|시험관'),
    criterion: parts('标准|標準|评估项|評価項目|基準|기준|항목'),
    mark: parts('满足|滿足|满分|滿分|达标|判(?:定|为)|给分|評価|満点|満た|達成|合格|충족|만점|통과|합격|표시'),
  },
];

/** One search in place of two for each language: without the examiner or a criterion in any of them there is no order. */
const ANY_OTHER_LANGUAGE = new WordPattern(
  new RegExp(
    OTHER_LANGUAGES.flatMap(({ examiner, criterion }) => [examiner, criterion])
      .map(({ source }) => `(?:${source})`)
      .join('|'),
    'iu',
  ),
);
