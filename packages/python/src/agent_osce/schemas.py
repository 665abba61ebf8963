# Generated from client/openapi.json by npm run client:python: do not edit. Source c232ba6fdb27e38a

from __future__ import annotations

from typing import Any, Literal, TypedDict

from typing_extensions import NotRequired


class Patient(TypedDict):
    style: NotRequired[Literal["cooperative", "minimising", "demanding", "low_literacy", "anxious", "evasive"]]
    language: NotRequired[str]


class SpokenChoice(TypedDict):
    voice: NotRequired[str | None]
    """As the speech server or espeak-ng calls it: alloy, or en-us+f3."""
    rate: NotRequired[float | None]
    """A multiple of the usual rate of the voice; default 1."""
    line: NotRequired[Literal["wideband", "phone", "mobile_bad"] | None]
    """What lies between patient and agent; default wideband. phone: 300 to 3400 Hz, G.711; mobile_bad: the same with lost packets."""
    noise: NotRequired[str | None]
    """What is heard behind the patient, and how much louder the patient is in dB: babble:10, pink:15 or hum:20."""
    sounds: NotRequired[list[Literal["interruptions", "backchannels", "pauses", "coughs", "asides"]] | None]
    """What disturbs the conversation; each happens in a third of the turns. Default none."""
    seed: NotRequired[int | None]
    """Determines what disturbs which turn; default random. The same seed sounds the same with espeak-ng."""


class GradedPassRate(TypedDict):
    """The percentage of graded scenario runs that passed, with the 95 % interval of the statistics. Null while the run is under way, and when nothing was graded."""

    value: float
    low: float
    high: float


class Tester(TypedDict):
    name: str
    """`offline`, or the vendor whose API is used."""
    model: str | None
    """As configured; null when offline."""
    prompt_version: str | None
    """A hash of the fixed part of the instructions to the model."""


class Examiners(TypedDict):
    """Who examined or, before anyone has, who will. Null for runs of a release that did not keep it."""

    tester: Tester
    judge: Tester
    clinical: bool
    """False when rules stand in for the patient or the judge: the marks then have no clinical meaning."""
    mixed: bool
    """Its scenario runs had different examiners; the last pair is named."""


class Ear(TypedDict):
    """Who hears the agent; null: its own account counts, checked against its sound."""

    engine: str
    model: str


class VoiceEngine(TypedDict):
    """`espeak-ng` or the host of a speech server, its version or model, and the voice."""

    engine: str
    version: str
    voice: str
    rate: float


class SpokenRun(TypedDict):
    voice: str | None
    """As it was asked for; null: the one that was set up."""
    rate: float
    """A multiple of the usual rate of the voice; default 1."""
    line: Literal["wideband", "phone", "mobile_bad"]
    """What lies between patient and agent; default wideband. phone: 300 to 3400 Hz, G.711; mobile_bad: the same with lost packets."""
    noise: str | None
    sounds: list[Literal["interruptions", "backchannels", "pauses", "coughs", "asides"]]
    seed: int
    """Determines what disturbs which turn; default random. The same seed sounds the same with espeak-ng."""
    ear: Ear | None
    """Who hears the agent; null: its own account counts, checked against its sound."""
    voice_engine: VoiceEngine
    """`espeak-ng` or the host of a speech server, its version or model, and the voice."""
    timing_error_ms: float | None
    """The error of its times at the 95th percentile, as osce speech calibrate measured it; null when it is not known."""
    harness_version: str
    """The release that made the run."""


class Patient1(TypedDict):
    """How the patient behaves, and which language it speaks."""

    style: Literal["cooperative", "minimising", "demanding", "low_literacy", "anxious", "evasive"]
    language: str
    """BCP 47"""


class EvidenceItem(TypedDict):
    turn: int
    quote: str
    call: NotRequired[int]
    """The quote is the tool call at this place among those of its turn; absent where it is words."""
    from_ms: NotRequired[float]
    """When it was said, in ms since the call began; absent where it was not spoken, or that is not known."""
    to_ms: NotRequired[float]


class CriteriaResult(TypedDict):
    criterion: str
    tags: list[str]
    decision: Literal["MET", "PARTIALLY MET", "NOT MET"]
    points: float
    max_points: float
    rationale: str
    evidence: list[EvidenceItem]
    absence: bool
    """Proven by absence from all replies, instead of by quotes."""
    replies_read: int | None
    """How many replies were read for it; only with absence."""
    votes: list[Literal["MET", "PARTIALLY MET", "NOT MET"]] | None
    """Decisions of all examinations in their order; null for a criterion that was not voted on."""
    disputed: bool
    """The votes were not unanimous."""
    check: str | None
    """The kind of the check that decided it, such as contains, in place of the judge; null where the judge did."""


class Effective(TypedDict):
    """The verdict that holds: that of its reviews where it has any, else the judge’s. Null when it was not graded."""

    passed: bool
    score_percent: float
    by: Literal["judge", "review"]


class Tester1(TypedDict):
    name: str
    model: str | None
    prompt_version: str | None
    answered_by: NotRequired[list[str]]
    """Models that answered, as they named themselves."""


class Judge(TypedDict):
    name: str
    model: str | None
    prompt_version: str | None
    answered_by: NotRequired[list[str]]
    """Models that answered, as they named themselves."""
    seed: NotRequired[float]


class Tester2(TypedDict):
    calls: float
    input_tokens: float
    cache_read_tokens: NotRequired[float]
    cache_write_tokens: NotRequired[float]
    output_tokens: float
    cost_usd: float | None
    """Null where a price is not known."""


class Usage(TypedDict):
    tester: NotRequired[Tester2 | None]
    judge: NotRequired[Tester2 | None]
    agent: NotRequired[dict[str, float] | None]
    """The sums of what the agent’s provider reported."""


class Turn(TypedDict):
    turn: int
    tester_ms: float
    agent_ms: float | None


class Timings(TypedDict):
    connect_ms: float | None
    turns: list[Turn]
    audit_ms: NotRequired[float]
    grading_ms: float | None


class PatientFault(TypedDict):
    turn: int
    kind: str
    severity: str
    text: str
    """The words of the patient."""


class JudgeControls(TypedDict):
    asked: int
    wrong: int


class JudgeUnreadItem(TypedDict):
    turn: int
    characters: int


class ExaminerAddressedItem(TypedDict):
    turn: int
    quote: str


class ControlClip(TypedDict):
    """A sentence of the patient through its line, before the agent was called."""

    duration_ms: float
    voiced_ms: float
    level_dbfs: float
    word_error_rate: float | None
    """Of the examiner’s ear; null without one, and in a language without a control sentence."""
    hearing: NotRequired[Literal["checked", "not_checked"] | None]
    """Null without an ear. Not checked: there is no control sentence in the language, so the patient counted; the ear heard words, and which is not known."""


class Recording(TypedDict):
    """Null where none is kept."""

    complete: bool
    pieces: int
    lost_ms: float
    """Of both tracks: what could not be kept."""


class SpokenCall(TypedDict):
    """Of a conversation by voice."""

    metrics_version: int
    minutes: float
    """How long the call was."""
    start_ms: float | None
    """When the patient could first be heard, since the call began; null where that is not known."""
    control_clip: ControlClip
    """A sentence of the patient through its line, before the agent was called."""
    recording: Recording | None
    """Null where none is kept."""


class ToolCall(TypedDict):
    id: str | None
    name: str
    """Empty where the agent does not tell it."""
    arguments: str | None
    """JSON as a rule; null where the agent does not tell them."""
    result: str | None
    """What the tool answered; null where the agent does not tell it."""
    truncated: bool
    """Its arguments or its result were longer than what is kept."""


class ReportedUsage(TypedDict):
    input_tokens: float | None
    output_tokens: float | None
    total_tokens: float | None
    cost_usd: float | None


class SpokenSentence(TypedDict):
    id: str
    """`p1`, `p2` … of the patient; `s1`, `s2` … of the reply that was marked."""
    from_ms: float
    to_ms: float
    certain: bool
    """False where the sentence was spread over the voice by its length."""


class SpokenPause(TypedDict):
    from_ms: float
    to_ms: float
    scripted_ms: float
    """Its length as the script has it."""


class SpokenDisturbance(TypedDict):
    kind: str
    from_ms: float
    to_ms: float


class SpokenInterjection(TypedDict):
    kind: Literal["interruption", "backchannel"]
    from_ms: float
    to_ms: float
    reliable: bool
    agent_unfinished: bool | None
    """Whether the agent had more to say when it stopped; null where its own text does not tell."""
    words: NotRequired[str | None]
    """What the patient said."""


class SpokenStretch(TypedDict):
    from_ms: float
    to_ms: float


class GradedPassRate1(TypedDict):
    value: float | None
    """Percent; null when nothing was graded."""
    low: float | None
    high: float | None
    method: Literal["wilson", "wilson_clustered"]
    effective_n: float
    """How many independent conversations would be as informative; at most the number graded."""


class Bounds(TypedDict):
    """What the pass rate would be if everything ungraded had failed (low) or passed (high)."""

    low: float
    high: float


class PassHatItem(TypedDict):
    k: int
    value: float | None
    scenarios: int


class UnstableItem(TypedDict):
    scenario_id: str
    scenario_name: str
    graded: int
    passed: int


class FlakyScenario(TypedDict):
    scenario_id: str
    scenario_name: str
    passed: int
    failed: int


class ExcludedItem(TypedDict):
    status: Literal["pending", "running", "grading", "passed", "failed", "error", "canceled"]
    error_code: Literal["auth_failed", "not_found", "rate_limited", "provider_error", "provider_timeout", "empty_reply", "transport_unsupported", "connect_failed", "agent_not_joined", "config_invalid", "no_rubric", "grading_failed", "tester_failed", "speech_failed", "internal"] | None
    count: int


class ByCategoryItem(TypedDict):
    category: str
    graded: int
    passed: int
    value: float | None
    low: float | None
    high: float | None


class BySeverityItem(TypedDict):
    severity: str
    graded: int
    passed: int
    value: float | None
    low: float | None
    high: float | None


class ByTagItem(TypedDict):
    tag: str
    graded: int
    passed: int
    value: float | None
    low: float | None
    high: float | None


class MustPassViolation(TypedDict):
    scenario_run_id: str
    scenario_id: str
    scenario_name: str
    trial: int
    criterion: str
    kind: Literal["missed", "committed"]
    """missed: the agent did not do what earns points. committed: it did what costs points."""


class Disputed(TypedDict):
    criteria: int
    scenario_runs: int


class ByFlagItem(TypedDict):
    flag: str
    count: int


class Flagged(TypedDict):
    scenario_runs: int
    by_flag: list[ByFlagItem]


class ByKindItem(TypedDict):
    kind: str
    count: int


class PassRateWithout(TypedDict):
    """The graded pass rate without those scenario runs; null when there are none."""

    value: float | None
    """Percent; null when nothing was graded."""
    low: float | None
    high: float | None
    method: Literal["wilson", "wilson_clustered"]
    effective_n: float
    """How many independent conversations would be as informative; at most the number graded."""


class PatientFaults(TypedDict):
    scenario_runs: int
    by_kind: list[ByKindItem]
    pass_rate_without: PassRateWithout | None
    """The graded pass rate without those scenario runs; null when there are none."""


class Reviewed(TypedDict):
    scenario_runs: int
    """Scenario runs that a person has reviewed."""
    changed: int
    """Of these, those whose verdict differs from the judge’s."""


class ReviewedPassRate(TypedDict):
    """The graded pass rate where reviews stand in for the judge; null when nothing was reviewed."""

    value: float | None
    """Percent; null when nothing was graded."""
    low: float | None
    high: float | None
    method: Literal["wilson", "wilson_clustered"]
    effective_n: float
    """How many independent conversations would be as informative; at most the number graded."""


class Tester3(TypedDict):
    name: str
    model: str | None
    prompt_version: str | None


class Examiners1(TypedDict):
    """Null before anything has ended."""

    tester: Tester3
    judge: Tester3
    clinical: bool
    """False when the patient or the judge ran offline: the marks then have no clinical meaning."""
    mixed: bool
    """Its scenario runs had different examiners; the most frequent pair is named."""


class Judge4(TypedDict):
    """Of the calibration."""

    name: str
    model: str | None
    prompt_version: str | None


class Raw(TypedDict):
    """Share of decisions that are the same as the labels, 0..1."""

    value: float | None
    low: float | None
    high: float | None


class Kappa(TypedDict):
    """Cohen's κ, −1..1."""

    value: float | None
    low: float | None
    high: float | None


class Ac1(TypedDict):
    """Gwet's AC1, −1..1."""

    value: float | None
    low: float | None
    high: float | None


class MacroF1(TypedDict):
    """0..1"""

    value: float | None
    low: float | None
    high: float | None


class ShownCalibration(TypedDict):
    id: str
    name: str
    source: str
    """`given`, or `starter_set`: a smoke test."""
    at: str
    """When it was completed."""
    judge: Judge4
    """Of the calibration."""
    stale: bool
    """It was made with another model or other prompts than the run."""
    changed: list[Literal["model", "prompt_version"]]
    """What differs; empty unless it is stale."""
    transcripts: int
    raw: Raw
    """Share of decisions that are the same as the labels, 0..1."""
    kappa: Kappa
    """Cohen's κ, −1..1."""
    ac1: Ac1
    """Gwet's AC1, −1..1."""
    macro_f1: MacroF1
    """0..1"""
    controls_wrong: float | None
    """The share of control questions answered wrongly, 0..1; null offline."""


class Before(TypedDict):
    id: str
    test_run_id: str
    """Its label."""
    agent_name: str


class Scenarios(TypedDict):
    compared: int
    """Graded at least once in both runs, of twins in one pair, with the same text and rubric."""
    changed: int
    """Left out because the text or rubric was changed between the runs."""
    only_before: int
    only_after: int
    ungraded: int
    """In both runs, but ungraded in at least one of them."""


class Difference(TypedDict):
    """Points, after − before, averaged over the compared scenarios. Resampling says nothing when all of them changed by the same amount, or when there are too few to show any change; the interval is then an exact_bound."""

    value: float | None
    low: float | None
    high: float | None
    method: Literal["paired_bootstrap", "exact_bound"]


class Score(TypedDict):
    """The same of the mean score, in percent and points; null when nothing of the category has a score."""

    before: float
    after: float
    value: float
    low: float
    high: float
    method: Literal["paired_bootstrap", "exact_bound"]


class ByCategoryItem1(TypedDict):
    category: str | None
    """The category that the scenarios have now; null for scenarios that no longer exist."""
    scenarios: int
    """How many scenarios of this category were compared."""
    before: float
    """The share of graded trials that passed, averaged over its scenarios."""
    after: float
    value: float
    """Points, after − before."""
    low: float
    high: float
    method: Literal["paired_bootstrap", "exact_bound"]
    score: Score | None
    """The same of the mean score, in percent and points; null when nothing of the category has a score."""


class Test(TypedDict):
    """Of `passed`, as in `tests`."""

    name: Literal["mcnemar_exact", "sign_flip"]
    p_value: float | None


class Test1(TypedDict):
    on: Literal["passed", "score", "must_pass"]
    """passed: how often the scenarios passed. score: their mean score. must_pass: how many must-pass criteria were violated."""
    name: Literal["mcnemar_exact", "sign_flip"]
    scenarios: int
    """How many can answer it: of must_pass those with such a criterion. With too few to show any change adjusted_p_value is null."""
    before: float | None
    """The mean over those scenarios: percent, or violations per conversation. Null when there are none."""
    after: float | None
    difference: float | None
    """In points or violations. Negative is worse in all three: of must_pass it is before − after, else after − before."""
    low: float | None
    high: float | None
    method: Literal["paired_bootstrap", "exact_bound"]
    p_value: float | None
    adjusted_p_value: float | None
    """Adjusted by Holm’s method for the questions that the scenarios can answer, of twins for those of all twins.lines; null for one that they cannot."""


class BetterItem(TypedDict):
    scenario_id: str
    scenario_name: str
    before: float
    """The share of its graded trials that passed."""
    after: float
    score_before: float | None
    """Percent, averaged over its graded conversations."""
    score_after: float | None
    violations_before: float
    """Must-pass criteria violated, averaged over its graded conversations."""
    violations_after: float


class Criterion(TypedDict):
    scenario_id: str
    scenario_name: str
    criterion: str
    before: float
    """How well it was met, averaged over trials."""
    after: float
    p_value: float
    adjusted_p_value: float
    """Adjusted by Holm’s method for all criteria of the compared scenarios."""


class CriteriaSummary(TypedDict):
    tested: int
    shown: int
    """How many changed by more than chance explains."""
    could_show: bool
    """False when no criterion could reach the level however it fared: there are too many, in too few conversations."""
    sentence: str


class Group(TypedDict):
    group: str | None
    """A tag of the criteria, such as history, safety or escalation; null for criteria without any."""
    criteria: int
    scenarios: int
    """How many scenarios have such criteria."""
    before: float
    """How well they were met, averaged over scenarios."""
    after: float
    difference: float
    """Points, after − before."""
    low: float
    high: float
    method: Literal["paired_bootstrap", "exact_bound"]
    p_value: float
    """Sign-flip over scenarios."""
    adjusted_p_value: float | None
    """Adjusted by Holm’s method for the groups with scenarios enough to show a change; null for the others."""


class Doubt(TypedDict):
    kind: Literal["status", "scenarios", "scenario_text", "rubric", "patients", "examiners", "prompts", "trials", "max_turns", "pass_threshold", "region", "modality", "spoken", "agent_config"]
    sentence: str


class Pairs(TypedDict):
    """The tests of the comparison are over scenarios: trials of one scenario are not independent."""

    total: int
    """Conversations of either run: each has its pair in the other, of one scenario, patient and trial."""
    compared: int
    """Pairs of which both have a verdict."""
    both_passed: int
    only_before_passed: int
    only_after_passed: int
    neither_passed: int


class NotComparedItem(TypedDict):
    run: Literal["before", "after"]
    """Whose conversation has no verdict; both may, and are then both counted."""
    status: str
    error_code: str | None
    count: int


class Against(TypedDict):
    """The run that `lines` are compared with: the one of the two that is held more easily."""

    id: str
    test_run_id: str
    """Its label."""
    way: str
    """How it was held."""


class Line(TypedDict):
    id: str
    test_run_id: str
    """Its label."""
    way: str
    """How it was held."""


class TwinCriteriaGroup(TypedDict):
    group: str | None
    """`must_pass` or `others`; or a severity, null for scenarios that no longer exist."""
    criteria: int
    scenarios: int
    """How many scenarios have such criteria."""
    before: float
    """How well they were met, averaged over scenarios."""
    after: float
    difference: float
    """Points, after − before."""
    low: float
    high: float
    method: Literal["paired_bootstrap", "exact_bound"]
    p_value: float
    """Sign-flip over scenarios."""
    adjusted_p_value: float | None
    """Adjusted by Holm’s method for all of these groups of all `lines`; null for groups with too few scenarios to show a change."""
    by: Literal["must_pass", "severity"]
    """must_pass: must-pass criteria against all others. severity: by the current severity of the scenarios."""


class Agent(TypedDict):
    id: str
    provider: str
    name: str
    description: str | None
    config: dict[str, Any]
    """As stored; credentials are masked with MASK_CREDENTIALS=true, and for keys of runners and viewers. Where it cannot be decrypted, `$unopened` says why."""
    warnings: list[str]
    """What to mend: nothing carries the conversation from one message to the next; for keys of admins also what looks like a secret in a path."""
    is_active: bool
    baseline_test_run_id: str | None
    """The run that its other runs are compared with when no other is named."""
    created_at: str
    updated_at: str


class Suite(TypedDict):
    id: str
    name: str
    description: str | None
    scenario_ids: list[str]
    created_at: str
    updated_at: str


class Demographics(TypedDict):
    age: NotRequired[float]
    gender: NotRequired[str]


class ScenarioContent(TypedDict):
    script: str
    demographics: Demographics
    chief_complaint: str


class GivenCheck1(TypedDict):
    """Decides the criterion by a rule, in place of the judge (docs/checks.md)."""

    kind: Literal["contains"]
    texts: list[str]
    """Words to look for, as a reader sees them: marks of emphasis and line ends do not matter."""
    need: NotRequired[Literal["any", "all"]]
    """Whether one of them is enough (the default) or one reply has to hold all."""
    case_sensitive: NotRequired[bool]
    """Whether capitals matter. Default: false."""
    whole_words: NotRequired[bool]
    """Whether “no” is not found in “now”. Default: false."""
    turn: NotRequired[Literal["any", "every", "last"] | int]
    """Which reply: any of them (the default), every one, the last, or that of a turn."""


class GivenCheck2(TypedDict):
    """Decides the criterion by a rule, in place of the judge (docs/checks.md)."""

    kind: Literal["regex"]
    pattern: str
    """In RE2’s syntax: no look-ahead, look-behind or back-reference."""
    flags: NotRequired[str]
    turn: NotRequired[Literal["any", "every", "last"] | int]
    """Which reply: any of them (the default), every one, the last, or that of a turn."""


class GivenCheck5(TypedDict):
    """Decides the criterion by a rule, in place of the judge (docs/checks.md)."""

    kind: Literal["latency_ms"]
    max: float
    """Milliseconds from sending a message to its whole reply."""
    percentile: NotRequired[float]
    """How many of a hundred replies have to keep to it. Default: every one."""


class GivenCheck6(TypedDict):
    """Decides the criterion by a rule, in place of the judge (docs/checks.md)."""

    kind: Literal["tokens"]
    max: float
    """Of all replies together, as the agent reports them."""


class GivenCheck7(TypedDict):
    """Decides the criterion by a rule, in place of the judge (docs/checks.md)."""

    kind: Literal["cost_usd"]
    max: float
    """Of all replies together, as the agent reports it."""


class HealthCheck(TypedDict):
    status: Literal["ok", "warning", "error"]
    detail: str


class StartedRun(TypedDict):
    id: str
    test_run_id: str
    status: Literal["pending", "running", "completed", "failed", "canceled", "scheduled"]
    total_scenarios: int
    scenarios_launched: int
    skipped_scenario_ids: NotRequired[list[str]]


class Cancellation(TypedDict):
    status: Literal["pending", "running", "completed", "failed", "canceled", "scheduled"]
    canceled_scenarios: NotRequired[int]
    message: NotRequired[str]


class StartRun(TypedDict):
    agent_id: NotRequired[str | None]
    """The agent to examine; required unless twin_of is given."""
    name: NotRequired[str | None]
    agent_version: NotRequired[str | None]
    """The version of the agent, such as a git commit or the version of its prompt; kept with the results."""
    test_suite_id: NotRequired[str | None]
    scenario_ids: NotRequired[list[str] | None]
    tags: NotRequired[list[str] | None]
    """Scenarios with any of these tags."""
    max_scenarios: NotRequired[int | None]
    trials: NotRequired[int | None]
    """How many times each conversation is held; default 1. Scenarios × patients × trials may be 20,000 at most."""
    patients: NotRequired[list[Patient] | None]
    """Each scenario is examined with each of these patients; default one cooperative patient who speaks English. Any other needs a language model as tester."""
    max_turns: NotRequired[int | None]
    """Turns per scenario, clamped to 5..7; default 6."""
    concurrency_limit: NotRequired[int | None]
    """Concurrent scenario runs, 2,000 at most; default 6."""
    tester_model: NotRequired[str | None]
    """The model that plays the patients, one of ALLOWED_MODELS; by default the configured one."""
    judge_model: NotRequired[str | None]
    """The model that marks, one of the same list."""
    pass_threshold: NotRequired[float | None]
    """The percentage of points needed to pass; default 50."""
    region: NotRequired[Literal["US", "UK", "EU", "AU"] | None]
    """Where the agent’s patients are, which says what their emergency services are called and which number reaches them; default US."""
    modality: NotRequired[Literal["text", "spoken"] | None]
    """Default text. spoken: by voice, as agents in LiveKit rooms and telephone bots (media-stream) are examined; the patient needs espeak-ng or SPEECH_URL (docs/spoken.md)."""
    spoken: NotRequired[SpokenChoice | None]
    """How the patient of a spoken run sounds; with modality spoken only."""
    scheduled_at: NotRequired[str | None]
    twin_of: NotRequired[str | None]
    """A run, by id or label, to examine the same as: its agent, scenarios as they were then, patients, trials, seeds, tester and judge. Held in the other modality, or as modality and spoken say. name, concurrency_limit and scheduled_at may be given too, nothing else."""


class Run(TypedDict):
    id: str
    test_run_id: str
    """Human-readable label."""
    name: str | None
    note: str | None
    tags: list[str]
    """For finding runs; not the tags of its scenarios."""
    status: Literal["pending", "running", "completed", "failed", "canceled", "scheduled"]
    agent_id: str
    agent_name: str
    agent_provider: str
    agent_version: str | None
    """As given at start-run."""
    agent_config_hash: str | None
    """SHA-256 of the agent’s config without its secrets. Null for runs of a release that did not keep it."""
    test_suite_id: str | None
    run_set_id: str | None
    """The set that it was started in; null for a run that was started alone."""
    twin_of: str | None
    """The first of the runs that examine the same agent with the same scenarios, patients, trials and seeds, each held differently: in text, by voice, over another line. It may be deleted by now. Null for a run without twins, and for the first itself."""
    derived_from: str | None
    """The run whose scenario runs it began from; it may be deleted by now. Null for any other run."""
    derivation: Literal["retry", "regrade", "fork", "import"] | None
    """How it began from them: `retry` runs errors again, `regrade` marks the same conversations again, `fork` goes on differently from a turn of one of them, `import` marks conversations from elsewhere. Null for a run of scenarios."""
    baseline_test_run_id: str | None
    """The baseline of its agent, which it is compared with when no other run is named; null when it is this run."""
    total_scenarios: int
    """Scenario runs: scenarios × patients × trials."""
    trials: int
    """How many times each conversation is held."""
    passed_count: int
    failed_count: int
    error_count: int
    canceled_count: int
    pass_rate: float
    graded_pass_rate: GradedPassRate | None
    """The percentage of graded scenario runs that passed, with the 95 % interval of the statistics. Null while the run is under way, and when nothing was graded."""
    must_pass_violated_count: int | None
    """Scenario runs that failed because of a must-pass criterion, whatever the pass rate is. Null while the run is under way, and for runs of a release that did not keep it."""
    max_turns: int
    concurrency_limit: int
    pass_threshold: float
    region: Literal["US", "UK", "EU", "AU"] | None
    """Where the agent’s patients are. Null when it is not known, as in runs of a release that did not ask: then any country’s emergency number counts."""
    modality: Literal["text", "spoken"]
    """Whether its conversations are written or spoken."""
    spoken: SpokenRun | None
    """How its patient sounds and who hears; null in text."""
    examiners: Examiners | None
    """Who examined or, before anyone has, who will. Null for runs of a release that did not keep it."""
    error_message: str | None
    waiting: str | None
    """Why no further scenario run starts although the run is in progress: the daily cost limit is reached."""
    scheduled_at: str | None
    started_at: str | None
    completed_at: str | None
    canceled_at: str | None
    created_at: str
    agent_config: dict[str, Any] | None
    """The agent’s config when the run was started, secrets masked. Null for runs of a release that did not keep it."""
    warnings: list[str]
    """What of the agent’s config makes the result doubtful: nothing carried the conversation from one message to the next."""


class ScenarioRunMetadata(TypedDict):
    """Who examined, timings, usage, doubts. `ended_by` is "agent" when the agent ended the conversation before it had all its turns; `unanswered_message` is what the patient said last when it did so in place of a reply."""

    provider: NotRequired[str]
    tester: NotRequired[Tester1]
    judge: NotRequired[Judge]
    offline: NotRequired[bool]
    """Rules stood in for the patient or the judge: the marks have no clinical meaning."""
    attempts: NotRequired[int]
    conversation_restarted: NotRequired[bool]
    in_doubt_turns: NotRequired[list[int]]
    """Turns whose message may have been sent twice."""
    usage: NotRequired[Usage]
    timings: NotRequired[Timings]
    patient_audit: NotRequired[Literal["done", "failed"]]
    patient_faults: NotRequired[list[PatientFault]]
    patient_retries: NotRequired[int]
    """Messages of the patient that were written twice."""
    judge_calls: NotRequired[int]
    judge_votes: NotRequired[int]
    judge_controls: NotRequired[JudgeControls]
    judge_unread: NotRequired[list[JudgeUnreadItem]]
    judge_failure: NotRequired[str]
    """Why the judge reached no verdict."""
    examiner_addressed: NotRequired[list[ExaminerAddressedItem]]
    """Sentences with which the agent addressed its examiner."""
    flags: NotRequired[list[str]]
    """Reasons to review the conversation; none of them alters the verdict."""
    session: NotRequired[dict[str, Any]]
    """What the agent’s provider reported of the session."""
    screenshot: NotRequired[bool]
    spoken: NotRequired[SpokenCall]
    ended_by: NotRequired[Literal["agent"]]
    unanswered_message: NotRequired[str]


class AgentActs(TypedDict):
    tool_calls: list[ToolCall] | None
    """In their order; null where the answer does not tell whether a tool was called."""
    context: list[str]
    """Pieces of text that the agent had retrieved."""
    usage: ReportedUsage | None
    truncated: bool
    """There was more than is kept of calls and context."""


class SpokenEntry(TypedDict):
    from_ms: float | None
    """Null where nothing was heard."""
    to_ms: float | None
    sentences: list[SpokenSentence]
    timing_reliable: bool
    """False where the sound was disturbed on our side: the times are in no figure about the agent."""
    heard_by_agent: NotRequired[str | None]
    """What the agent heard of the patient; null where it does not tell. Of the patient only."""
    pauses: NotRequired[list[SpokenPause]]
    """Inside the patient’s turn. Of the patient only."""
    disturbances: NotRequired[list[SpokenDisturbance]]
    """Of the patient only."""
    interjection: NotRequired[SpokenInterjection | None]
    """What the patient said into the agent’s answer. Of the patient only."""
    segments: NotRequired[list[SpokenStretch]]
    """Where the agent’s voice is heard. Of the agent only."""
    own: NotRequired[str | None]
    """What the agent says in text that it said; null where it does not say."""
    heard: NotRequired[str | None]
    """What the examiner’s ear heard; null without one."""
    heard_doubtful: NotRequired[bool | str | None]
    """Why the words heard are doubted, or that they are; nothing where they are not."""
    inaudible: NotRequired[bool]
    """There was no voice for these words: they prove nothing."""
    latency_ms: NotRequired[float | None]
    """From the end of the patient’s words to the agent’s first sound; null where it began before."""


class RunStatistics(TypedDict):
    test_run_id: str
    status: Literal["pending", "running", "completed", "failed", "canceled", "scheduled"]
    confidence: float
    scenarios: int
    trials: int
    total: int
    """Scenario runs."""
    graded: int
    passed: int
    coverage: float
    """graded / total × 100."""
    pass_rate: float
    """As in the test run: passed / total × 100."""
    graded_pass_rate: GradedPassRate1
    bounds: Bounds
    """What the pass rate would be if everything ungraded had failed (low) or passed (high)."""
    pass_hat: list[PassHatItem]
    """How likely it is that k trials of a scenario all pass, averaged over the scenarios with at least k graded trials."""
    unstable: list[UnstableItem]
    """Scenarios whose trials disagree."""
    flaky_scenarios: list[FlakyScenario]
    """Scenarios with both verdicts under the same agent config, revision, patient, examiners, turns and pass threshold: in this run, or in this run and the newest others (their last 2,000 scenario runs)."""
    excluded: list[ExcludedItem]
    by_category: list[ByCategoryItem]
    by_severity: list[BySeverityItem]
    """By the current severity of the scenarios, most severe first."""
    by_tag: list[ByTagItem]
    must_pass_violations: list[MustPassViolation]
    disputed: Disputed
    flagged: Flagged
    patient_faults: PatientFaults
    reviewed: Reviewed
    reviewed_pass_rate: ReviewedPassRate | None
    """The graded pass rate where reviews stand in for the judge; null when nothing was reviewed."""
    minimum_detectable_drop: float | None
    """The smallest drop, in percentage points, that a second run like this one would show (significance 5 %, power 80 %); null when no drop would."""
    examiners: Examiners1 | None
    """Null before anything has ended."""
    calibration: ShownCalibration | None
    """The newest calibration of the judge that marked the run; null when there is none."""
    calibration_note: str
    """What that means for the numbers, in a sentence."""


class PairsOfTwins(TypedDict):
    before: str
    """How the run before was held: `in text`, or `spoken over phone with babble:10`."""
    after: str
    sentence: str
    """What the difference between the two ways costs or gains, in words."""
    pairs: Pairs
    """The tests of the comparison are over scenarios: trials of one scenario are not independent."""
    not_compared: list[NotComparedItem]
    """Why pairs could not be compared, the most frequent reason first."""
    criteria: list[TwinCriteriaGroup]
    """What was met in the one way and in the other, over the same pairs: the test is sign-flip over scenarios."""
    against: Against
    """The run that `lines` are compared with: the one of the two that is held more easily."""
    lines: list[Line]
    """The runs whose p-values are adjusted together by Holm’s method, each against `against`: the other of the two, and what else of the family is held less easily than `against` and has ended. From the best line to the worst."""
    adjustment: str
    """For what the p-values are adjusted, in words."""


class GivenCheck3(TypedDict):
    """Decides the criterion by a rule, in place of the judge (docs/checks.md)."""

    kind: Literal["json_schema"]
    schema: dict[str, Any]
    turn: NotRequired[Literal["any", "every", "last"] | int]
    """Which reply: any of them (the default), every one, the last, or that of a turn."""


class GivenArguments(TypedDict):
    contains: NotRequired[list[str]]
    """What its arguments hold, all of it; capitals do not matter."""
    json_schema: NotRequired[dict[str, Any]]


class Checks(TypedDict):
    database: HealthCheck
    bus: HealthCheck
    tester: HealthCheck
    judge: HealthCheck
    examiners: NotRequired[HealthCheck]
    """While a language model plays or marks; warns of one family with an agent."""
    browser: HealthCheck
    spend: NotRequired[HealthCheck]


class Health(TypedDict):
    status: Literal["ok", "error"]
    """`error` when the database or the bus is out of reach, or the database accepts no writes."""
    timestamp: str
    version: str
    checks: Checks
    setup: dict[str, str]
    """What to configure next: a sentence under the name of each setting; empty when nothing is left."""


class ScenarioRun(TypedDict):
    id: str
    test_run_id: str
    scenario_id: str
    scenario_name: str
    scenario_revision: int | None
    """Which revision of the scenario it examined with. Null for runs of a release that did not keep it."""
    scenario_content_hash: str | None
    """SHA-256 of the content and rubric of that revision."""
    scenario_category: str | None
    """As the scenario has it now; null when it is gone."""
    scenario_severity: str | None
    """As the scenario has it now; null when it is gone."""
    source_scenario_run_id: str | None
    """In a derived run: the scenario run that it began from or, when it is carried, in which the verdict was given. It may be deleted by now."""
    carried: bool
    """Its verdict and transcript are those of its source: the same observation, not another one."""
    kept_turns: int | None
    """How many turns, from the first on, were taken over from its source before it began; null when that was not how it began."""
    given_message: str | None
    """What the patient said after them, when that was given to the fork; null when it was not."""
    trial: int
    """Which of the run’s trials it belongs to."""
    patient: Patient1
    """How the patient behaves, and which language it speaks."""
    status: Literal["pending", "running", "grading", "passed", "failed", "error", "canceled"]
    passed: bool | None
    score_percent: float | None
    total_points: float | None
    max_points: float | None
    grade_summary: str | None
    criteria_results: list[CriteriaResult] | None
    effective: Effective | None
    """The verdict that holds: that of its reviews where it has any, else the judge’s. Null when it was not graded."""
    error_code: Literal["auth_failed", "not_found", "rate_limited", "provider_error", "provider_timeout", "empty_reply", "transport_unsupported", "connect_failed", "agent_not_joined", "config_invalid", "no_rubric", "grading_failed", "tester_failed", "speech_failed", "internal"] | None
    error_message: str | None
    attempt: int
    turns: int
    duration_ms: float | None
    started_at: str | None
    completed_at: str | None
    canceled_at: str | None
    created_at: str
    metadata: ScenarioRunMetadata
    screenshot_url: str | None
    """Path of the screenshot of a browser agent’s page when it failed; null when there is none."""


class TranscriptItem(TypedDict):
    turn: int
    role: Literal["patient", "agent"]
    content: str
    at: str
    latency_ms: NotRequired[float]
    """Of the agent only."""
    acts: NotRequired[AgentActs]
    """What the agent did for the reply; absent where its answer told nothing."""
    spoken: NotRequired[SpokenEntry]
    """When it was said and what was heard; absent in text."""
    trace_url: NotRequired[str]
    """Where the turn is traced, by TRACE_URL_TEMPLATE. Of the agent only."""


class Conversation(TypedDict):
    id: str
    test_run_id: str
    scenario_id: str
    scenario_name: str
    scenario_revision: int | None
    """Which revision of the scenario it examined with. Null for runs of a release that did not keep it."""
    scenario_content_hash: str | None
    """SHA-256 of the content and rubric of that revision."""
    scenario_category: str | None
    """As the scenario has it now; null when it is gone."""
    scenario_severity: str | None
    """As the scenario has it now; null when it is gone."""
    source_scenario_run_id: str | None
    """In a derived run: the scenario run that it began from or, when it is carried, in which the verdict was given. It may be deleted by now."""
    carried: bool
    """Its verdict and transcript are those of its source: the same observation, not another one."""
    kept_turns: int | None
    """How many turns, from the first on, were taken over from its source before it began; null when that was not how it began."""
    given_message: str | None
    """What the patient said after them, when that was given to the fork; null when it was not."""
    trial: int
    """Which of the run’s trials it belongs to."""
    patient: Patient1
    """How the patient behaves, and which language it speaks."""
    status: Literal["pending", "running", "grading", "passed", "failed", "error", "canceled"]
    passed: bool | None
    score_percent: float | None
    total_points: float | None
    max_points: float | None
    grade_summary: str | None
    criteria_results: list[CriteriaResult] | None
    effective: Effective | None
    """The verdict that holds: that of its reviews where it has any, else the judge’s. Null when it was not graded."""
    error_code: Literal["auth_failed", "not_found", "rate_limited", "provider_error", "provider_timeout", "empty_reply", "transport_unsupported", "connect_failed", "agent_not_joined", "config_invalid", "no_rubric", "grading_failed", "tester_failed", "speech_failed", "internal"] | None
    error_message: str | None
    attempt: int
    turns: int
    duration_ms: float | None
    started_at: str | None
    completed_at: str | None
    canceled_at: str | None
    created_at: str
    metadata: ScenarioRunMetadata
    screenshot_url: str | None
    """Path of the screenshot of a browser agent’s page when it failed; null when there is none."""
    transcript: list[TranscriptItem]
    closing_acts: AgentActs | None
    """What the agent did in place of a last reply, when it hung up without a word; null where nothing is told."""


class RunComparison(TypedDict):
    before: Before
    after: Before
    confidence: float
    scenarios: Scenarios
    difference: Difference
    """Points, after − before, averaged over the compared scenarios. Resampling says nothing when all of them changed by the same amount, or when there are too few to show any change; the interval is then an exact_bound."""
    by_category: list[ByCategoryItem1]
    """The same difference for each category, each with its own interval. The more categories there are, the likelier it is that one stands out by chance."""
    test: Test
    """Of `passed`, as in `tests`."""
    tests: list[Test1]
    """Three questions, in this order: passed, score, must_pass. The verdict is by their adjusted p-values."""
    verdict: Literal["better", "worse", "mixed", "no_evidence", "cannot_tell"]
    """better or worse where all that is shown goes one way, mixed where it goes both ways."""
    grounds: list[Literal["passed", "score", "must_pass"]]
    """Which of the three show a change."""
    sentence: str
    """The verdict in words, and the evidence for it; it begins with new must-pass violations, if there are any."""
    trials_needed: int | None
    """How many trials per scenario would be enough to show a difference of this size; null when this comparison already shows it, when there is no difference, or when more trials alone would not be enough."""
    better: list[BetterItem]
    """Scenarios that passed more often; then those that scored higher, then those with fewer must-pass violations. Each with the largest change first. A scenario is in neither list when nothing of it moved."""
    worse: list[BetterItem]
    new_must_pass_violations: list[MustPassViolation]
    criteria: list[Criterion]
    """Criteria that were met better or worse than before, the clearest change first."""
    criteria_summary: CriteriaSummary
    groups: list[Group]
    """Criteria by their tags: the 12 tags of the most scenarios at most, then criteria without tags. They are tests of their own, and do not change the verdict."""
    doubts: list[Doubt]
    """What differs between the runs apart from the agent."""
    twins: PairsOfTwins | None
    """Of runs that examine the same, held differently: pair by pair. Null for runs that are no twins."""


class GivenCheck4(TypedDict):
    """Decides the criterion by a rule, in place of the judge (docs/checks.md)."""

    kind: Literal["tool_call"]
    name: str
    """The tool, exactly as the agent’s answers name it."""
    arguments: NotRequired[GivenArguments]
    times: NotRequired[int]
    """How many such calls there have to be, neither more nor fewer. Default: one at least."""
    turn: NotRequired[Literal["any", "every", "last"] | int]
    """Which reply: any of them (the default), every one, the last, or that of a turn."""


class RubricCriterion(TypedDict):
    criterion: str
    points: float
    tags: list[str]
    by_turn: NotRequired[int]
    check: NotRequired[GivenCheck1 | GivenCheck2 | GivenCheck3 | GivenCheck4 | GivenCheck5 | GivenCheck6 | GivenCheck7]
    """Decides the criterion by a rule, in place of the judge (docs/checks.md)."""


class Scenario(TypedDict):
    scenario_id: str
    name: str
    category: str
    severity: str
    scenario_type: str
    is_active: bool
    approved: bool
    priority: float | None
    tags: list[str]
    content: ScenarioContent
    rubric_criteria: list[RubricCriterion]
    revision: int
    """Raised by every change of content or rubric_criteria."""
    content_hash: str
    """SHA-256 of the canonical JSON (RFC 8785) of { content, rubric_criteria }."""
    approved_by: str | None
    """Who approved it; null when no person is named, and when it is not approved."""
    approved_role: str | None
    approved_at: str | None
    """Null as well for starters, which no person has approved."""
