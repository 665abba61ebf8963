/**
 * The rules of an examination, without input or output: what a scenario holds, how a conversation goes and ends, when it passes,
 * which statuses and events a run has. The service, the page and the command apply the same ones.
 */

// A scenario: its patient, where the patient is, and its rubric.
export {
  approvalState,
  approvalWords,
  STARTER_LIBRARY,
  type PatientScenario,
  type ScenarioContent,
  type Approval,
  type ApprovalState,
} from './scenario';
export {
  isUsualPatient,
  patientName,
  PATIENT_STYLES,
  USUAL_PATIENT,
  speaksEnglish,
  type PatientProfile,
  type PatientStyle,
} from './patient';
export {
  callTime,
  MODALITIES,
  LINES,
  DISTURBANCES,
  NOISE_KINDS,
  NOISE_SNR_DB,
  SPEAKING_RATES,
  LARGEST_SEED,
  readNoise,
  soundInWords,
  estimatedMinutes,
  type Modality,
  type Line,
  type Disturbance,
  type NoiseKind,
  type SpokenOptions,
  type SpokenRun,
} from './spoken';
export { kindInWords, twinsInOrder, wayInWords } from './twin-ways';
export { REGIONS, DEFAULT_REGION, localised, foreignEmergencyNumbers, servicesIn, type Region } from './region';
export {
  SEVERITIES,
  violatesMustPass,
  DECISIONS,
  decisionLetters,
  decisionsOf,
  pointsEarned,
  scoreRubric,
  MUST_PASS_TAG,
  DEFAULT_PASS_THRESHOLD,
  MUST_PASS_RULE,
  gravityOf,
  type Verdict,
  type RubricCriterion,
  type Decision,
  type Evidence,
  type CriterionResult,
} from './rubric';
export { CHECK_KINDS, checkWords, isLimit, readCheck, storedCheck, type Check, type CheckKind } from './check';
export {
  isMustPass,
  asksForEscalation,
  missedOf,
  tallyMissed,
  outcomeOf,
  type CriterionOutcome,
  type MissedTally,
  type DecidedCriterion,
} from './criterion-outcome';

// A conversation, and what ends it early.
export {
  ENDED_BY,
  earlyEndIn,
  earlyEndSentence,
  conversationWarning,
  DEFAULT_TURNS,
  turnOf,
  sendsSession,
  clampTurns,
  MAX_TURNS,
  type AgentAnswer,
  type Ending,
  type Turn,
  type PatientMessage,
  type TurnRecord,
  type ExaminedTurn,
  type AgentReply,
  type HangUp,
  type Notes,
  type EndedBy,
} from './conversation';
export { actsIn, actsSummary, callText, type AgentActs, type ReportedUsage, type ToolCall } from './agent-acts';
export { failureOf, EffectFailed, boundedFailure, ERROR_CODES, type Failure, type ErrorCode } from './failure';

// A run: its statuses, the events that tell of it, and what a gate makes of it.
export { againstBar, againstBaseline, lackOfCoverage, type BarOutcome, type MeasuredRun } from './gates';
export {
  TEST_RUN_STATUSES,
  isFinalTestRun,
  isFinalScenarioRun,
  FINAL_SCENARIO_RUN_STATUSES,
  FINAL_TEST_RUN_STATUSES,
  DERIVATIONS,
  SCENARIO_RUN_STATUSES,
  type ScenarioRunStatus,
  type FinalTestRunStatus,
  type TestRunStatus,
  type Derivation,
  type FinalScenarioRunStatus,
} from './statuses';
export {
  isFinalEvent,
  readRunEvent,
  runEventFields,
  eventText,
  type RunEventFields,
  type RunEvent,
  type Counts,
} from './run-events';
export { answersIn, isWholeStream, replyPlaceIn, sessionPlaceIn, WHOLE_ANSWER, WHOLE_EVENTS } from './reply-place';
export { PROVIDER_KINDS, canSpeak, isOnTelephone, isVoiceOnly, type ProviderKind } from './provider-kinds';

// What people decide about marks.
export { currentOf, reviewerOf, reviewerKey, effectiveDecisions, type GivenDecisions } from './effective-decisions';
export { flagsOf, tallySecondLooks, disputedIn } from './second-look';

// Texts: worded in sentences, searched and compared.
export { listClauses, sentenceWithin, listNames, spaced } from './sentence';
export { holdsText, Needle, indexOfWords } from './text-search';
export { editDistance } from './edit-distance';
export { lineDiff, type DiffLine } from './line-diff';
