/**
 * Words used to address an examiner, by language. They serve to find sentences that have no place in a
 * consultation; clinical uses of the same words ("criteria for", "rate your pain", "tumour marker") are kept out by requiring two
 * kinds of these words, or the absence of words said to patients.
 */
export interface ExaminerWords {
  /** Who marks, and by what. In English nobody says these to a patient; in the other languages they count only beside a criterion or a mark. */
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

export const ENGLISH: ExaminerWords = {
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

export const OTHER_LANGUAGES: readonly ExaminerWords[] = [
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
