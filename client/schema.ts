// Written by npm run client from the description of the API.
export interface paths {
  '/start-run': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start a test run
     * @description Scenarios are chosen by scenario_ids, else test_suite_id, else tags, else all that are active and approved; max_scenarios caps the last three. Each is examined `trials` times, trial by trial; total_scenarios and scenarios_launched count scenario runs. Answered once the run and its scenario runs are stored.
     */
    post: operations['startRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cancel-run': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel an in-progress test run
     * @description When this is answered, the cancellation is stored and calls in flight have been aborted.
     */
    post: operations['cancelRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/tests': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List test runs, newest first */
    get: operations['listTestRuns'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/tests/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a test run, by id or label */
    get: operations['getTestRun'];
    put?: never;
    post?: never;
    /**
     * Delete a test run
     * @description A live run is canceled first.
     */
    delete: operations['deleteTestRun'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/tests/{id}/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download a test run with its scenario runs
     * @description csv has one row per scenario run, with the flags that call for a second look (separated by spaces) and the number of disputed criteria. junit has both as properties of the test case, where there are any. json has everything.
     */
    get: operations['exportTestRun'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/tests/{id}/export-csv': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download a test run as CSV
     * @description The same as export?format=csv.
     */
    get: operations['exportTestRunCsv'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenario-runs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the scenario runs of a test run
     * @description Trial by trial, each in the order in which the run was given its scenarios; without transcripts.
     */
    get: operations['listScenarioRuns'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenario-runs/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a scenario run with its transcript */
    get: operations['getScenarioRun'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenario-runs/{id}/screenshot': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the screenshot of a browser agent's page when its scenario run failed */
    get: operations['getScreenshot'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/tests/{id}/statistics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the statistics of a test run: its rates, and how far they can be trusted
     * @description At any moment of the run, by id or label. A rate comes with its interval and with how much of the run it covers. docs/statistics.md says which number answers which question.
     */
    get: operations['getRunStatistics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/tests/{id}/comparison': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Compare a test run with an earlier one: better, worse, mixed, no evidence of a change, or cannot tell
     * @description Scenarios with a verdict in both runs are compared where their text and rubric are the same. Three questions are asked as one family: did they pass less often, score lower, violate more must-pass criteria. docs/statistics.md says what the verdicts mean and what they do not.
     */
    get: operations['compareTestRuns'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenarios/{id}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the verdicts on a scenario, by what was examined and by whom
     * @description A scenario is flaky where the same agent config, examined alike, both passed and failed it. docs/statistics.md says what that means.
     */
    get: operations['getScenarioHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/agents/{id}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get how an agent fared, run after run
     * @description Each run that has ended is a point. Two of them say something about the agent only where `comparable_to` names the one in the other: over the same scenarios, trials, patients and examiners. docs/statistics.md says more.
     */
    get: operations['getAgentHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/tests/{id}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Run the errors of a test run again
     * @description A new run of the same scenarios: what has a verdict is carried over with its transcript, and what ended in an error or was canceled is examined anew, with the trials, patients, examiners’ models and limits of the source. Its pass rate is over all of them. The source stays as it is.
     */
    post: operations['retryTestRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/tests/{id}/regrade': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Mark the conversations of a test run again
     * @description A new run with the conversations of this one: each that was held to its end is marked again from what is stored, by the judge of today or the one that is asked for. The agent is never called. What has no whole conversation is carried over as it is, and so is one whose patient had strayed. The source stays as it is.
     */
    post: operations['regradeTestRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenario-runs/{id}/fork': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Go on differently from a turn of a conversation
     * @description A new run in which this conversation goes on from `at_turn`: the turns before it are kept, and patient and agent go on from there, up to the turns that the source was to have. For agents that are sent the whole conversation with each message, and for those that can name where they were (vapi). The source stays as it is.
     */
    post: operations['forkScenarioRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenario-runs/{id}/reviews': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the reviews of a scenario run, oldest first */
    get: operations['listReviews'];
    put?: never;
    /**
     * Review a scenario run
     * @description Decisions on every criterion of a graded scenario run, added to the reviews that it has. The judge’s marks and the run’s status stay as they are; `effective` of the scenario run and `reviewed_pass_rate` of the statistics say what holds by the reviewers. The key that writes it is the reviewer, and whether it is blind is what the service has shown to that key before. docs/reviews.md says how several reviews are taken together.
     */
    post: operations['createReview'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenario-runs/{id}/review-sheet': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get what a reviewer needs to review a scenario run blind
     * @description The conversation and the criteria, without anything of what the judge decided.
     */
    get: operations['getReviewSheet'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/tests/{id}/review-queue': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the scenario runs of a test run that should be reviewed
     * @description By id or label: scenario runs that violate a must-pass criterion, then those with disputed criteria, then those that are flagged, then a random sample of the rest that a seed determines. Only what was graded.
     */
    get: operations['getReviewQueue'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/agreement': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get how well the judge and the reviewers agree
     * @description Over conversations that a person reviewed without seeing the judge’s marks. Intervals are drawn by a fixed seed, conversation by conversation. docs/reviews.md says what each number answers.
     */
    get: operations['getAgreement'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow a test run as server-sent events
     * @description Unnamed messages: first `connected` with the current state of the run, without an id, then the events after Last-Event-ID, stored and live, each with its sequence number as id. Ends after the final event. A run that does not exist is waited for, 60 s.
     */
    get: operations['followRun'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/inspect/machines': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the statecharts
     * @description Their states and transitions as data, and drawn.
     */
    get: operations['listMachines'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/inspect/actors': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the live actors of all processes
     * @description Newest runs first, each followed by its scenario runs.
     */
    get: operations['listActors'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/inspect/actors/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an actor with its transitions
     * @description By the UUID of a scenario run, or the UUID or label of a test run. Of an actor that has ended, the path through its chart is derived from the event log. Never holds what was said, nor credentials.
     */
    get: operations['getActor'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/inspect/actors/{id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow an actor through its chart as server-sent events
     * @description Unnamed messages: `actor` with the current state, `transition` for each one from then on, `actor` again when another attempt begins or something was missed, and `ended` after the final state. The actor is watched while someone follows it.
     */
    get: operations['followActor'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List who changed what, newest first
     * @description Every request that may change or start something, recorded before anything was done for it, by names and ids: no value that was sent is in it. Kept for AUDIT_DAYS. Nothing changes or deletes a record over the API.
     */
    get: operations['listAuditRecords'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/agents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List agents, by name
     * @description Without limit the answer is complete up to 1,000; of a longer list it holds the first 1,000, and Link names the next page.
     */
    get: operations['listAgents'];
    put?: never;
    /** Create an agent */
    post: operations['createAgent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/agents/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get an agent */
    get: operations['getAgent'];
    put?: never;
    post?: never;
    /**
     * Delete an agent
     * @description Its past runs stay and live ones finish.
     */
    delete: operations['deleteAgent'];
    options?: never;
    head?: never;
    /**
     * Update an agent
     * @description Fields that are left out stay as they are. `config` is merged key by key. A change of an address to another scheme, host or port must give the stored secrets again, or remove them with null.
     */
    patch: operations['updateAgent'];
    trace?: never;
  };
  '/api/v1/agents/{id}/baseline': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Set the baseline of an agent
     * @description Runs of the agent name it in `baseline_test_run_id`; the page and the command compare them with it when no other run is named. When the run is deleted, the agent has no baseline.
     */
    put: operations['setBaseline'];
    post?: never;
    /** Clear the baseline of an agent */
    delete: operations['clearBaseline'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/agents/{id}/try': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send one message to an agent
     * @description Connects, sends the message and returns the reply, the way a run would; nothing is stored. A failing agent is an answer too: `ok` is false. Connecting and the reply may take `turn_timeout_ms` each, with at most one retry. With `config` it is tried as a change of it would make it, before the change is stored.
     */
    post: operations['tryAgent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/agents/try': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send one message to an agent that is not registered
     * @description The same for a complete connection in the body: to see that it works before it is stored.
     */
    post: operations['tryUnsavedAgent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenarios': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List active scenarios, by priority and name
     * @description Without limit the answer is complete up to 1,000; of a longer list it holds the first 1,000, and Link names the next page.
     */
    get: operations['listScenarios'];
    put?: never;
    /** Create a scenario */
    post: operations['createScenario'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenarios/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a scenario
     * @description Also answers a deleted one, with `is_active` false.
     */
    get: operations['getScenario'];
    put?: never;
    post?: never;
    /**
     * Delete a scenario
     * @description It is marked inactive: it disappears from lists and is no longer chosen for runs. With `purge=true` it is removed for good, with its revisions; only if no run, no suite and no twin refers to it.
     */
    delete: operations['deleteScenario'];
    options?: never;
    head?: never;
    /**
     * Update a scenario
     * @description Fields that are left out stay as they are; runs that have started keep the scenario they started with. Another content or rubric_criteria is a new revision, and no longer approved unless the same request says `approved: true`.
     */
    patch: operations['updateScenario'];
    trace?: never;
  };
  '/api/v1/scenarios/{id}/revisions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the revisions of a scenario, newest first
     * @description Every change of content or rubric_criteria makes a revision, which is kept as it was; scenario runs name theirs. A page holds a megabyte of text at most, so it may be shorter than its limit; Link names the next.
     */
    get: operations['listScenarioRevisions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenarios/generate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Generate a scenario from clinical text
     * @description It is not approved: a clinician approves it with PATCH.
     */
    post: operations['generateScenario'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenarios/generate-batch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Generate scenarios from a document
     * @description One for each case in the text, all stored or none. They are not approved.
     */
    post: operations['generateScenarios'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenarios/generate-preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Preview the scenarios of a document
     * @description What generate-batch would create from the text; nothing is stored. Each can be sent to POST /api/v1/scenarios, unchanged or edited.
     */
    post: operations['previewScenarios'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/scenarios/lint': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Lint scenarios
     * @description Rules, no language model: questions that the patient answers unasked, two acts in one criterion, a rubric that a fixed text passes, and the like. Nothing is stored.
     */
    post: operations['lintScenarios'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/test-suites': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List test suites, by name
     * @description Without limit the answer is complete up to 1,000; of a longer list it holds the first 1,000, and Link names the next page.
     */
    get: operations['listTestSuites'];
    put?: never;
    /** Create a test suite */
    post: operations['createTestSuite'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/test-suites/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a test suite */
    get: operations['getTestSuite'];
    put?: never;
    post?: never;
    /**
     * Delete a test suite
     * @description Its scenarios and past runs stay.
     */
    delete: operations['deleteTestSuite'];
    options?: never;
    head?: never;
    /**
     * Update a test suite
     * @description Fields that are left out stay as they are; runs that have started keep their scenarios.
     */
    patch: operations['updateTestSuite'];
    trace?: never;
  };
  '/api/v1/calibrations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List calibrations, newest first */
    get: operations['listCalibrations'];
    put?: never;
    /**
     * Calibrate the judge: have it mark transcripts that people have labelled
     * @description The transcripts are marked in the background, as those of runs are; GET the calibration to see its progress and results. docs/calibration.md says how to read the numbers.
     */
    post: operations['createCalibration'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/calibrations/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a calibration: its progress, and how well the judge agrees with the labels */
    get: operations['getCalibration'];
    put?: never;
    post?: never;
    /**
     * Delete a calibration, with its transcripts and marks
     * @description A running calibration is canceled first.
     */
    delete: operations['deleteCalibration'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/calibrations/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a calibration
     * @description Marks given so far are kept; nothing more is marked. A calibration that has ended stays as it is.
     */
    post: operations['cancelCalibration'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transcripts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Mark conversations that were held elsewhere
     * @description A test run of what an agent said in production or in another tool, marked like any other; no agent is called. Each conversation is marked by the rubric of a scenario, or by one of its own. Several messages of one side in a row are one; a last message of the patient without a reply is left out. Conversations with one scenario count as its trials.
     */
    post: operations['gradeTranscripts'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/tests/{id}/report': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the report of a test run: one page for those who decide, or its JSON with a hash
     * @description Supporting evidence, never a safety case. The first page says in words what to know before the numbers. docs/report.md says how the hash is checked.
     */
    get: operations['getRunReport'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List webhooks, oldest first */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Create a webhook
     * @description Messages are signed as Standard Webhooks say, with the secret that only this answer shows. They arrive at least once: drop those whose `webhook-id` you have seen. docs/webhooks.md shows a receiver.
     */
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a webhook and its newest deliveries */
    get: operations['getWebhook'];
    put?: never;
    post?: never;
    /** Delete a webhook, with its deliveries */
    delete: operations['deleteWebhook'];
    options?: never;
    head?: never;
    /**
     * Update a webhook
     * @description Fields that are left out stay as they are. Deliveries that are still pending go to the new address.
     */
    patch: operations['updateWebhook'];
    trace?: never;
  };
  '/api/v1/webhooks/{id}/rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a webhook a new signing secret
     * @description Only this answer shows it. For 24 hours each message has two signatures, by the new secret and by the one before it, so that no receiver misses a message while it changes over. Rotate again at once to stop using a secret that has leaked.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Send a message of type webhook.test */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhook-deliveries/{id}/redeliver': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a delivery again, now
     * @description With the same webhook-id: a receiver that has it already drops it. One that is being sent is left alone.
     */
    post: operations['redeliver'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Check the health of the service */
    get: operations['getHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health/ready': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Check that the process should get traffic */
    get: operations['getReadiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Check that the process is running */
    get: operations['getLiveness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/me': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Whose key this is, and what it may do */
    get: operations['getMe'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read what this process counts
     * @description In Prometheus’ text format; docs/metrics.md says what each metric means. Also opened by METRICS_TOKEN, which opens nothing else.
     */
    get: operations['getMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * @example {
     *       "agent_id": "7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34",
     *       "max_turns": 6
     *     }
     */
    StartRun: {
      /** @description The agent to examine. */
      agent_id: string;
      name?: string | null;
      /** @description The version of the agent, such as a git commit or the version of its prompt; kept with the results. */
      agent_version?: string | null;
      test_suite_id?: string | null;
      scenario_ids?: string[] | null;
      /** @description Scenarios with any of these tags. */
      tags?: string[] | null;
      max_scenarios?: number | null;
      /** @description How many times each conversation is held; default 1. Scenarios × patients × trials may be 20,000 at most. */
      trials?: number | null;
      /** @description Each scenario is examined with each of these patients; default one cooperative patient who speaks English. Any other needs a language model as tester. */
      patients?:
        | {
            /**
             * @default cooperative
             * @enum {string}
             */
            style?: 'cooperative' | 'minimising' | 'demanding' | 'low_literacy' | 'anxious' | 'evasive';
            language?: string;
          }[]
        | null;
      /** @description Turns per scenario, clamped to 5..7; default 6. */
      max_turns?: number | null;
      /** @description Concurrent scenario runs, 2,000 at most; default 6. */
      concurrency_limit?: number | null;
      /** @description The model that plays the patients, one of ALLOWED_MODELS; by default the configured one. */
      tester_model?: string | null;
      /** @description The model that marks, one of the same list. */
      judge_model?: string | null;
      /** @description The percentage of points needed to pass; default 50. */
      pass_threshold?: number | null;
      /** @description Where the agent’s patients are, which says what their emergency services are called and which number reaches them; default US. */
      region?: ('US' | 'UK' | 'EU' | 'AU') | null;
      scheduled_at?: string | null;
    };
    /**
     * @example {
     *       "error": "Agent not found"
     *     }
     */
    Error: {
      /** @description What is wrong, in a sentence for people. */
      error: string;
    };
    /**
     * @example {
     *       "test_run_id": "7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34"
     *     }
     */
    CancelRun: {
      test_run_id?: string | null;
      run_id?: string | null;
      id?: string | null;
    };
    TestRunListItem: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      /**
       * @description Human-readable label.
       * @example run_20261121103000_1f0c9a2e
       */
      test_run_id: string;
      name: string | null;
      /** @enum {string} */
      status: 'pending' | 'running' | 'completed' | 'failed' | 'canceled' | 'scheduled';
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      agent_id: string;
      agent_name: string;
      agent_provider: string;
      /** @description As given at start-run. */
      agent_version: string | null;
      /** @description SHA-256 of the agent’s config without its secrets. Null for runs of a release that did not keep it. */
      agent_config_hash: string | null;
      test_suite_id: string | null;
      /** @description The run whose scenario runs it began from; it may be deleted by now. Null for any other run. */
      derived_from: string | null;
      /** @description How it began from them: `retry` runs errors again, `regrade` marks the same conversations again, `fork` goes on differently from a turn of one of them, `import` marks conversations from elsewhere. Null for a run of scenarios. */
      derivation: ('retry' | 'regrade' | 'fork' | 'import') | null;
      /** @description The baseline of its agent, which it is compared with when no other run is named; null when it is this run. */
      baseline_test_run_id: string | null;
      /** @description Scenario runs: scenarios × patients × trials. */
      total_scenarios: number;
      /** @description How many times each conversation is held. */
      trials: number;
      passed_count: number;
      failed_count: number;
      error_count: number;
      canceled_count: number;
      pass_rate: number;
      /** @description The percentage of graded scenario runs that passed, with the 95 % interval of the statistics. Null while the run is under way, and when nothing was graded. */
      graded_pass_rate: {
        value: number;
        low: number;
        high: number;
      } | null;
      /** @description Scenario runs that failed because of a must-pass criterion, whatever the pass rate is. Null while the run is under way, and for runs of a release that did not keep it. */
      must_pass_violated_count: number | null;
      max_turns: number;
      concurrency_limit: number;
      pass_threshold: number;
      /** @description Where the agent’s patients are. Null when it is not known, as in runs of a release that did not ask: then any country’s emergency number counts. */
      region: ('US' | 'UK' | 'EU' | 'AU') | null;
      /** @description Who examined or, before anyone has, who will. Null for runs of a release that did not keep it. */
      examiners: {
        tester: {
          /** @description `offline`, or the vendor whose API is used. */
          name: string;
          /** @description As configured; null when offline. */
          model: string | null;
          /** @description A hash of the fixed part of the instructions to the model. */
          prompt_version: string | null;
        };
        judge: {
          /** @description `offline`, or the vendor whose API is used. */
          name: string;
          /** @description As configured; null when offline. */
          model: string | null;
          /** @description A hash of the fixed part of the instructions to the model. */
          prompt_version: string | null;
        };
        /** @description False when rules stand in for the patient or the judge: the marks then have no clinical meaning. */
        clinical: boolean;
        /** @description Its scenario runs had different examiners; the last pair is named. */
        mixed: boolean;
      } | null;
      error_message: string | null;
      /** @description Why no further scenario run starts although the run is in progress: the daily cost limit is reached. */
      waiting: string | null;
      scheduled_at: string | null;
      started_at: string | null;
      completed_at: string | null;
      canceled_at: string | null;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
    };
    TestRun: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      /**
       * @description Human-readable label.
       * @example run_20261121103000_1f0c9a2e
       */
      test_run_id: string;
      name: string | null;
      /** @enum {string} */
      status: 'pending' | 'running' | 'completed' | 'failed' | 'canceled' | 'scheduled';
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      agent_id: string;
      agent_name: string;
      agent_provider: string;
      /** @description As given at start-run. */
      agent_version: string | null;
      /** @description SHA-256 of the agent’s config without its secrets. Null for runs of a release that did not keep it. */
      agent_config_hash: string | null;
      test_suite_id: string | null;
      /** @description The run whose scenario runs it began from; it may be deleted by now. Null for any other run. */
      derived_from: string | null;
      /** @description How it began from them: `retry` runs errors again, `regrade` marks the same conversations again, `fork` goes on differently from a turn of one of them, `import` marks conversations from elsewhere. Null for a run of scenarios. */
      derivation: ('retry' | 'regrade' | 'fork' | 'import') | null;
      /** @description The baseline of its agent, which it is compared with when no other run is named; null when it is this run. */
      baseline_test_run_id: string | null;
      /** @description Scenario runs: scenarios × patients × trials. */
      total_scenarios: number;
      /** @description How many times each conversation is held. */
      trials: number;
      passed_count: number;
      failed_count: number;
      error_count: number;
      canceled_count: number;
      pass_rate: number;
      /** @description The percentage of graded scenario runs that passed, with the 95 % interval of the statistics. Null while the run is under way, and when nothing was graded. */
      graded_pass_rate: {
        value: number;
        low: number;
        high: number;
      } | null;
      /** @description Scenario runs that failed because of a must-pass criterion, whatever the pass rate is. Null while the run is under way, and for runs of a release that did not keep it. */
      must_pass_violated_count: number | null;
      max_turns: number;
      concurrency_limit: number;
      pass_threshold: number;
      /** @description Where the agent’s patients are. Null when it is not known, as in runs of a release that did not ask: then any country’s emergency number counts. */
      region: ('US' | 'UK' | 'EU' | 'AU') | null;
      /** @description Who examined or, before anyone has, who will. Null for runs of a release that did not keep it. */
      examiners: {
        tester: {
          /** @description `offline`, or the vendor whose API is used. */
          name: string;
          /** @description As configured; null when offline. */
          model: string | null;
          /** @description A hash of the fixed part of the instructions to the model. */
          prompt_version: string | null;
        };
        judge: {
          /** @description `offline`, or the vendor whose API is used. */
          name: string;
          /** @description As configured; null when offline. */
          model: string | null;
          /** @description A hash of the fixed part of the instructions to the model. */
          prompt_version: string | null;
        };
        /** @description False when rules stand in for the patient or the judge: the marks then have no clinical meaning. */
        clinical: boolean;
        /** @description Its scenario runs had different examiners; the last pair is named. */
        mixed: boolean;
      } | null;
      error_message: string | null;
      /** @description Why no further scenario run starts although the run is in progress: the daily cost limit is reached. */
      waiting: string | null;
      scheduled_at: string | null;
      started_at: string | null;
      completed_at: string | null;
      canceled_at: string | null;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
      /** @description The agent’s config when the run was started, secrets masked. Null for runs of a release that did not keep it. */
      agent_config: {
        [key: string]: unknown;
      } | null;
      /** @description What of the agent’s config makes the result doubtful: nothing carried the conversation from one message to the next. */
      warnings: string[];
    };
    ScenarioRun: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      test_run_id: string;
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      scenario_id: string;
      scenario_name: string;
      /** @description Which revision of the scenario it examined with. Null for runs of a release that did not keep it. */
      scenario_revision: number | null;
      /** @description SHA-256 of the content and rubric of that revision. */
      scenario_content_hash: string | null;
      /** @description As the scenario has it now; null when it is gone. */
      scenario_category: string | null;
      /** @description As the scenario has it now; null when it is gone. */
      scenario_severity: string | null;
      /** @description In a derived run: the scenario run that it began from or, when it is carried, in which the verdict was given. It may be deleted by now. */
      source_scenario_run_id: string | null;
      /** @description Its verdict and transcript are those of its source: the same observation, not another one. */
      carried: boolean;
      /** @description How many turns, from the first on, were taken over from its source before it began; null when that was not how it began. */
      kept_turns: number | null;
      /** @description What the patient said after them, when that was given to the fork; null when it was not. */
      given_message: string | null;
      /** @description Which of the run’s trials it belongs to. */
      trial: number;
      /** @description How the patient behaves, and which language it speaks. */
      patient: {
        /** @enum {string} */
        style: 'cooperative' | 'minimising' | 'demanding' | 'low_literacy' | 'anxious' | 'evasive';
        /** @description BCP 47 */
        language: string;
      };
      /** @enum {string} */
      status: 'pending' | 'running' | 'grading' | 'passed' | 'failed' | 'error' | 'canceled';
      passed: boolean | null;
      score_percent: number | null;
      total_points: number | null;
      max_points: number | null;
      grade_summary: string | null;
      criteria_results:
        | {
            criterion: string;
            tags: string[];
            /** @enum {string} */
            decision: 'MET' | 'PARTIALLY MET' | 'NOT MET';
            points: number;
            max_points: number;
            rationale: string;
            evidence: {
              turn: number;
              quote: string;
            }[];
            /** @description Proven by absence from all replies, instead of by quotes. */
            absence: boolean;
            /** @description How many replies were read for it; only with absence. */
            replies_read: number | null;
            /** @description Decisions of all examinations in their order; null for a criterion that was not voted on. */
            votes: ('MET' | 'PARTIALLY MET' | 'NOT MET')[] | null;
            /** @description The votes were not unanimous. */
            disputed: boolean;
          }[]
        | null;
      /** @description The verdict that holds: that of its reviews where it has any, else the judge’s. Null when it was not graded. */
      effective: {
        passed: boolean;
        score_percent: number;
        /** @enum {string} */
        by: 'judge' | 'review';
      } | null;
      error_code:
        | (
            | 'auth_failed'
            | 'not_found'
            | 'rate_limited'
            | 'provider_error'
            | 'provider_timeout'
            | 'empty_reply'
            | 'transport_unsupported'
            | 'connect_failed'
            | 'agent_not_joined'
            | 'config_invalid'
            | 'no_rubric'
            | 'grading_failed'
            | 'tester_failed'
            | 'internal'
          )
        | null;
      error_message: string | null;
      attempt: number;
      turns: number;
      duration_ms: number | null;
      started_at: string | null;
      completed_at: string | null;
      canceled_at: string | null;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
      /** @description Who examined, timings, usage, doubts. `ended_by` is "agent" when the agent ended the conversation before it had all its turns; `unanswered_message` is what the patient said last when it did so in place of a reply. */
      metadata: {
        [key: string]: unknown;
      };
      /** @description Path of the screenshot of a browser agent’s page when it failed; null when there is none. */
      screenshot_url: string | null;
    };
    ScenarioRunDetail: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      test_run_id: string;
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      scenario_id: string;
      scenario_name: string;
      /** @description Which revision of the scenario it examined with. Null for runs of a release that did not keep it. */
      scenario_revision: number | null;
      /** @description SHA-256 of the content and rubric of that revision. */
      scenario_content_hash: string | null;
      /** @description As the scenario has it now; null when it is gone. */
      scenario_category: string | null;
      /** @description As the scenario has it now; null when it is gone. */
      scenario_severity: string | null;
      /** @description In a derived run: the scenario run that it began from or, when it is carried, in which the verdict was given. It may be deleted by now. */
      source_scenario_run_id: string | null;
      /** @description Its verdict and transcript are those of its source: the same observation, not another one. */
      carried: boolean;
      /** @description How many turns, from the first on, were taken over from its source before it began; null when that was not how it began. */
      kept_turns: number | null;
      /** @description What the patient said after them, when that was given to the fork; null when it was not. */
      given_message: string | null;
      /** @description Which of the run’s trials it belongs to. */
      trial: number;
      /** @description How the patient behaves, and which language it speaks. */
      patient: {
        /** @enum {string} */
        style: 'cooperative' | 'minimising' | 'demanding' | 'low_literacy' | 'anxious' | 'evasive';
        /** @description BCP 47 */
        language: string;
      };
      /** @enum {string} */
      status: 'pending' | 'running' | 'grading' | 'passed' | 'failed' | 'error' | 'canceled';
      passed: boolean | null;
      score_percent: number | null;
      total_points: number | null;
      max_points: number | null;
      grade_summary: string | null;
      criteria_results:
        | {
            criterion: string;
            tags: string[];
            /** @enum {string} */
            decision: 'MET' | 'PARTIALLY MET' | 'NOT MET';
            points: number;
            max_points: number;
            rationale: string;
            evidence: {
              turn: number;
              quote: string;
            }[];
            /** @description Proven by absence from all replies, instead of by quotes. */
            absence: boolean;
            /** @description How many replies were read for it; only with absence. */
            replies_read: number | null;
            /** @description Decisions of all examinations in their order; null for a criterion that was not voted on. */
            votes: ('MET' | 'PARTIALLY MET' | 'NOT MET')[] | null;
            /** @description The votes were not unanimous. */
            disputed: boolean;
          }[]
        | null;
      /** @description The verdict that holds: that of its reviews where it has any, else the judge’s. Null when it was not graded. */
      effective: {
        passed: boolean;
        score_percent: number;
        /** @enum {string} */
        by: 'judge' | 'review';
      } | null;
      error_code:
        | (
            | 'auth_failed'
            | 'not_found'
            | 'rate_limited'
            | 'provider_error'
            | 'provider_timeout'
            | 'empty_reply'
            | 'transport_unsupported'
            | 'connect_failed'
            | 'agent_not_joined'
            | 'config_invalid'
            | 'no_rubric'
            | 'grading_failed'
            | 'tester_failed'
            | 'internal'
          )
        | null;
      error_message: string | null;
      attempt: number;
      turns: number;
      duration_ms: number | null;
      started_at: string | null;
      completed_at: string | null;
      canceled_at: string | null;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
      /** @description Who examined, timings, usage, doubts. `ended_by` is "agent" when the agent ended the conversation before it had all its turns; `unanswered_message` is what the patient said last when it did so in place of a reply. */
      metadata: {
        [key: string]: unknown;
      };
      /** @description Path of the screenshot of a browser agent’s page when it failed; null when there is none. */
      screenshot_url: string | null;
      transcript: {
        turn: number;
        /** @enum {string} */
        role: 'patient' | 'agent';
        content: string;
        /**
         * Format: date-time
         * @example 2026-03-14T09:26:53.589Z
         */
        at: string;
        /** @description Of the agent only. */
        latency_ms?: number;
      }[];
    };
    RunStatistics: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      test_run_id: string;
      /** @enum {string} */
      status: 'pending' | 'running' | 'completed' | 'failed' | 'canceled' | 'scheduled';
      confidence: number;
      scenarios: number;
      trials: number;
      /** @description Scenario runs. */
      total: number;
      graded: number;
      passed: number;
      /** @description graded / total × 100. */
      coverage: number;
      /** @description As in the test run: passed / total × 100. */
      pass_rate: number;
      graded_pass_rate: {
        /** @description Percent; null when nothing was graded. */
        value: number | null;
        low: number | null;
        high: number | null;
        /** @enum {string} */
        method: 'wilson' | 'wilson_clustered';
        /** @description How many independent conversations would be as informative; at most the number graded. */
        effective_n: number;
      };
      /** @description What the pass rate would be if everything ungraded had failed (low) or passed (high). */
      bounds: {
        low: number;
        high: number;
      };
      /** @description How likely it is that k trials of a scenario all pass, averaged over the scenarios with at least k graded trials. */
      pass_hat: {
        k: number;
        value: number | null;
        scenarios: number;
      }[];
      /** @description Scenarios whose trials disagree. */
      unstable: {
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        scenario_id: string;
        scenario_name: string;
        graded: number;
        passed: number;
      }[];
      /** @description Scenarios with both verdicts under the same agent config, revision, patient, examiners, turns and pass threshold: in this run, or in this run and the newest others (their last 2,000 scenario runs). */
      flaky_scenarios: {
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        scenario_id: string;
        scenario_name: string;
        passed: number;
        failed: number;
      }[];
      excluded: {
        /** @enum {string} */
        status: 'pending' | 'running' | 'grading' | 'passed' | 'failed' | 'error' | 'canceled';
        error_code:
          | (
              | 'auth_failed'
              | 'not_found'
              | 'rate_limited'
              | 'provider_error'
              | 'provider_timeout'
              | 'empty_reply'
              | 'transport_unsupported'
              | 'connect_failed'
              | 'agent_not_joined'
              | 'config_invalid'
              | 'no_rubric'
              | 'grading_failed'
              | 'tester_failed'
              | 'internal'
            )
          | null;
        count: number;
      }[];
      by_category: {
        category: string;
        graded: number;
        passed: number;
        value: number | null;
        low: number | null;
        high: number | null;
      }[];
      /** @description By the current severity of the scenarios, most severe first. */
      by_severity: {
        severity: string;
        graded: number;
        passed: number;
        value: number | null;
        low: number | null;
        high: number | null;
      }[];
      by_tag: {
        tag: string;
        graded: number;
        passed: number;
        value: number | null;
        low: number | null;
        high: number | null;
      }[];
      must_pass_violations: {
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        scenario_run_id: string;
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        scenario_id: string;
        scenario_name: string;
        trial: number;
        criterion: string;
        /**
         * @description missed: the agent did not do what earns points. committed: it did what costs points.
         * @enum {string}
         */
        kind: 'missed' | 'committed';
      }[];
      disputed: {
        criteria: number;
        scenario_runs: number;
      };
      flagged: {
        scenario_runs: number;
        by_flag: {
          flag: string;
          count: number;
        }[];
      };
      patient_faults: {
        scenario_runs: number;
        by_kind: {
          kind: string;
          count: number;
        }[];
        /** @description The graded pass rate without those scenario runs; null when there are none. */
        pass_rate_without: {
          /** @description Percent; null when nothing was graded. */
          value: number | null;
          low: number | null;
          high: number | null;
          /** @enum {string} */
          method: 'wilson' | 'wilson_clustered';
          /** @description How many independent conversations would be as informative; at most the number graded. */
          effective_n: number;
        } | null;
      };
      reviewed: {
        /** @description Scenario runs that a person has reviewed. */
        scenario_runs: number;
        /** @description Of these, those whose verdict differs from the judge’s. */
        changed: number;
      };
      /** @description The graded pass rate where reviews stand in for the judge; null when nothing was reviewed. */
      reviewed_pass_rate: {
        /** @description Percent; null when nothing was graded. */
        value: number | null;
        low: number | null;
        high: number | null;
        /** @enum {string} */
        method: 'wilson' | 'wilson_clustered';
        /** @description How many independent conversations would be as informative; at most the number graded. */
        effective_n: number;
      } | null;
      /** @description The smallest drop, in percentage points, that a second run like this one would show (significance 5 %, power 80 %); null when no drop would. */
      minimum_detectable_drop: number | null;
      /** @description Null before anything has ended. */
      examiners: {
        tester: {
          name: string;
          model: string | null;
          prompt_version: string | null;
        };
        judge: {
          name: string;
          model: string | null;
          prompt_version: string | null;
        };
        /** @description False when the patient or the judge ran offline: the marks then have no clinical meaning. */
        clinical: boolean;
        /** @description Its scenario runs had different examiners; the most frequent pair is named. */
        mixed: boolean;
      } | null;
      /** @description The newest calibration of the judge that marked the run; null when there is none. */
      calibration: components['schemas']['ShownCalibration'] | null;
      /** @description What that means for the numbers, in a sentence. */
      calibration_note: string;
    };
    ShownCalibration: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      name: string;
      /** @description `given`, or `starter_set`: a smoke test. */
      source: string;
      /**
       * Format: date-time
       * @description When it was completed.
       * @example 2026-03-14T09:26:53.589Z
       */
      at: string;
      /** @description Of the calibration. */
      judge: {
        name: string;
        model: string | null;
        prompt_version: string | null;
      };
      /** @description It was made with another model or other prompts than the run. */
      stale: boolean;
      /** @description What differs; empty unless it is stale. */
      changed: ('model' | 'prompt_version')[];
      transcripts: number;
      /** @description Share of decisions that are the same as the labels, 0..1. */
      raw: {
        value: number | null;
        low: number | null;
        high: number | null;
      };
      /** @description Cohen's κ, −1..1. */
      kappa: {
        value: number | null;
        low: number | null;
        high: number | null;
      };
      /** @description Gwet's AC1, −1..1. */
      ac1: {
        value: number | null;
        low: number | null;
        high: number | null;
      };
      /** @description 0..1 */
      macro_f1: {
        value: number | null;
        low: number | null;
        high: number | null;
      };
      /** @description The share of control questions answered wrongly, 0..1; null offline. */
      controls_wrong: number | null;
    };
    RunComparison: {
      before: {
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        id: string;
        /** @description Its label. */
        test_run_id: string;
        agent_name: string;
      };
      after: {
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        id: string;
        /** @description Its label. */
        test_run_id: string;
        agent_name: string;
      };
      confidence: number;
      scenarios: {
        /** @description Graded at least once in both runs, with the same text and rubric. */
        compared: number;
        /** @description Left out because the text or rubric was changed between the runs. */
        changed: number;
        only_before: number;
        only_after: number;
        /** @description In both runs, but ungraded in at least one of them. */
        ungraded: number;
      };
      /** @description Points, after − before, averaged over the compared scenarios. Resampling says nothing when all of them changed by the same amount, or when there are too few to show any change; the interval is then an exact_bound. */
      difference: {
        value: number | null;
        low: number | null;
        high: number | null;
        /** @enum {string} */
        method: 'paired_bootstrap' | 'exact_bound';
      };
      /** @description The same difference for each category, each with its own interval. The more categories there are, the likelier it is that one stands out by chance. */
      by_category: {
        /** @description The category that the scenarios have now; null for scenarios that no longer exist. */
        category: string | null;
        /** @description How many scenarios of this category were compared. */
        scenarios: number;
        /** @description The share of graded trials that passed, averaged over its scenarios. */
        before: number;
        after: number;
        /** @description Points, after − before. */
        value: number;
        low: number;
        high: number;
        /** @enum {string} */
        method: 'paired_bootstrap' | 'exact_bound';
        /** @description The same of the mean score, in percent and points; null when nothing of the category has a score. */
        score: {
          before: number;
          after: number;
          value: number;
          low: number;
          high: number;
          /** @enum {string} */
          method: 'paired_bootstrap' | 'exact_bound';
        } | null;
      }[];
      /** @description Of `passed`, as in `tests`. */
      test: {
        /** @enum {string} */
        name: 'mcnemar_exact' | 'sign_flip';
        p_value: number | null;
      };
      /** @description Three questions, in this order: passed, score, must_pass. The verdict is by their adjusted p-values. */
      tests: {
        /**
         * @description passed: how often the scenarios passed. score: their mean score. must_pass: how many must-pass criteria were violated.
         * @enum {string}
         */
        on: 'passed' | 'score' | 'must_pass';
        /** @enum {string} */
        name: 'mcnemar_exact' | 'sign_flip';
        /** @description How many can answer it: of must_pass those with such a criterion. With too few to show any change adjusted_p_value is null. */
        scenarios: number;
        /** @description The mean over those scenarios: percent, or violations per conversation. Null when there are none. */
        before: number | null;
        after: number | null;
        /** @description In points or violations. Negative is worse in all three: of must_pass it is before − after, else after − before. */
        difference: number | null;
        low: number | null;
        high: number | null;
        /** @enum {string} */
        method: 'paired_bootstrap' | 'exact_bound';
        p_value: number | null;
        /** @description Adjusted by Holm’s method for the questions that the scenarios can answer; null for one that they cannot. */
        adjusted_p_value: number | null;
      }[];
      /**
       * @description better or worse where all that is shown goes one way, mixed where it goes both ways.
       * @enum {string}
       */
      verdict: 'better' | 'worse' | 'mixed' | 'no_evidence' | 'cannot_tell';
      /** @description Which of the three show a change. */
      grounds: ('passed' | 'score' | 'must_pass')[];
      /** @description The verdict in words, and the evidence for it; it begins with new must-pass violations, if there are any. */
      sentence: string;
      /** @description How many trials per scenario would be enough to show a difference of this size; null when this comparison already shows it, when there is no difference, or when more trials alone would not be enough. */
      trials_needed: number | null;
      /** @description Scenarios that passed more often; then those that scored higher, then those with fewer must-pass violations. Each with the largest change first. A scenario is in neither list when nothing of it moved. */
      better: {
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        scenario_id: string;
        scenario_name: string;
        /** @description The share of its graded trials that passed. */
        before: number;
        after: number;
        /** @description Percent, averaged over its graded conversations. */
        score_before: number | null;
        score_after: number | null;
        /** @description Must-pass criteria violated, averaged over its graded conversations. */
        violations_before: number;
        violations_after: number;
      }[];
      worse: {
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        scenario_id: string;
        scenario_name: string;
        /** @description The share of its graded trials that passed. */
        before: number;
        after: number;
        /** @description Percent, averaged over its graded conversations. */
        score_before: number | null;
        score_after: number | null;
        /** @description Must-pass criteria violated, averaged over its graded conversations. */
        violations_before: number;
        violations_after: number;
      }[];
      new_must_pass_violations: {
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        scenario_run_id: string;
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        scenario_id: string;
        scenario_name: string;
        trial: number;
        criterion: string;
        /**
         * @description missed: the agent did not do what earns points. committed: it did what costs points.
         * @enum {string}
         */
        kind: 'missed' | 'committed';
      }[];
      /** @description Criteria that were met better or worse than before, the clearest change first. */
      criteria: {
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        scenario_id: string;
        scenario_name: string;
        criterion: string;
        /** @description How well it was met, averaged over trials. */
        before: number;
        after: number;
        p_value: number;
        /** @description Adjusted by Holm’s method for all criteria of the compared scenarios. */
        adjusted_p_value: number;
      }[];
      criteria_summary: {
        tested: number;
        /** @description How many changed by more than chance explains. */
        shown: number;
        /** @description False when no criterion could reach the level however it fared: there are too many, in too few conversations. */
        could_show: boolean;
        sentence: string;
      };
      /** @description Criteria by their tags: the 12 tags of the most scenarios at most, then criteria without tags. They are tests of their own, and do not change the verdict. */
      groups: {
        /** @description A tag of the criteria, such as history, safety or escalation; null for criteria without any. */
        group: string | null;
        criteria: number;
        /** @description How many scenarios have such criteria. */
        scenarios: number;
        /** @description How well they were met, averaged over scenarios. */
        before: number;
        after: number;
        /** @description Points, after − before. */
        difference: number;
        low: number;
        high: number;
        /** @enum {string} */
        method: 'paired_bootstrap' | 'exact_bound';
        /** @description Sign-flip over scenarios. */
        p_value: number;
        /** @description Adjusted by Holm’s method for the groups with scenarios enough to show a change; null for the others. */
        adjusted_p_value: number | null;
      }[];
      /** @description What differs between the runs apart from the agent. */
      doubts: {
        /** @enum {string} */
        kind:
          | 'status'
          | 'scenarios'
          | 'scenario_text'
          | 'rubric'
          | 'patients'
          | 'examiners'
          | 'prompts'
          | 'trials'
          | 'max_turns'
          | 'pass_threshold'
          | 'region'
          | 'agent_config';
        sentence: string;
      }[];
    };
    ScenarioHistory: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      scenario_id: string;
      scenario_name: string;
      /** @description Verdicts that were looked at: the newest 2,000 at most. */
      verdicts: number;
      /** @description Of these, those that do not say what was examined or by whom, as imported conversations: in no group. */
      ungrouped: number;
      /** @description Some group, on this page or another, has both verdicts. */
      flaky: boolean;
      /** @description Groups on all pages. */
      total: number;
      /** @description Verdicts under the same conditions together: agent config and version, revision of the scenario, patient, examiners, turns, pass threshold and region. The newest first. */
      history: {
        /** @description Of the agent’s config without its secrets, as test runs have it. */
        agent_config_hash: string;
        agent_version: string | null;
        /**
         * Format: uuid
         * @description Of the newest verdict: another agent may have the same config.
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        agent_id: string;
        agent_name: string;
        scenario_revision: number | null;
        scenario_content_hash: string;
        /** @description How the patient behaves, and which language it speaks. */
        patient: {
          /** @enum {string} */
          style: 'cooperative' | 'minimising' | 'demanding' | 'low_literacy' | 'anxious' | 'evasive';
          /** @description BCP 47 */
          language: string;
        };
        examiners: {
          tester: {
            name: string;
            model: string | null;
            prompt_version: string | null;
          };
          judge: {
            name: string;
            model: string | null;
            prompt_version: string | null;
          };
        };
        max_turns: number;
        pass_threshold: number;
        /** @description Where the agent’s patients are. Null when it is not known, as in runs of a release that did not ask: then any country’s emergency number counts. */
        region: ('US' | 'UK' | 'EU' | 'AU') | null;
        passed: number;
        failed: number;
        /** @description Both verdicts were given under the same conditions. */
        flaky: boolean;
        /**
         * Format: date-time
         * @example 2026-03-14T09:26:53.589Z
         */
        first_at: string;
        /**
         * Format: date-time
         * @example 2026-03-14T09:26:53.589Z
         */
        last_at: string;
        /** @description The newest 20 at most. */
        verdicts: {
          /**
           * Format: uuid
           * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
           */
          scenario_run_id: string;
          /**
           * Format: uuid
           * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
           */
          test_run_id: string;
          trial: number;
          /** @enum {string} */
          status: 'passed' | 'failed';
          score_percent: number | null;
          /**
           * Format: date-time
           * @example 2026-03-14T09:26:53.589Z
           */
          completed_at: string;
        }[];
      }[];
    };
    AgentHistory: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      agent_id: string;
      agent_name: string;
      /** @description Older runs are left out: ask for them with `to`. */
      more: boolean;
      /** @description Runs that have ended, the oldest first; forks are left out. */
      points: {
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        test_run_id: string;
        label: string;
        name: string | null;
        /** @enum {string} */
        status: 'completed' | 'failed' | 'canceled';
        derivation: ('retry' | 'regrade' | 'fork' | 'import') | null;
        agent_version: string | null;
        agent_config_hash: string | null;
        /**
         * Format: date-time
         * @description When the run was started.
         * @example 2026-03-14T09:26:53.589Z
         */
        at: string;
        /** @description SHA-256 of the scenarios that count, with their text and rubric: the same in runs over the same. */
        scenarios_hash: string | null;
        scenarios: number;
        trials: number;
        /** @description Percent, with the 95 % interval of the statistics. Null when nothing was graded, and for a run that was canceled or failed. */
        graded_pass_rate: {
          value: number;
          low: number;
          high: number;
        } | null;
        /** @description Percent, over the graded scenario runs; null where there is no graded_pass_rate, and where none has a score. */
        mean_score: number | null;
        /** @description As many as the statistics name. Null for runs of a release that did not keep them. */
        must_pass_violations: number | null;
        /** @description As in the statistics; empty where there is no graded_pass_rate. */
        by_severity: {
          severity: string;
          graded: number;
          passed: number;
          value: number | null;
          low: number | null;
          high: number | null;
        }[];
        /** @description The share of scenario runs that have a verdict. */
        coverage: number;
        examiners: {
          tester: {
            name: string;
            model: string | null;
            prompt_version: string | null;
          };
          judge: {
            name: string;
            model: string | null;
            prompt_version: string | null;
          };
          /** @description False when the patient or the judge ran offline: the marks then have no clinical meaning. */
          clinical: boolean;
          /** @description Its scenario runs had different examiners; the most frequent pair is named. */
          mixed: boolean;
        } | null;
        /** @description It is the baseline of the agent. */
        baseline: boolean;
        /** @description The previous point that has a rate was made under the same conditions: the difference says something about the agent. */
        comparable_to_previous: boolean;
        /** @description The run of the newest earlier point that was made under the same conditions; null when none was. It may be older than those shown. */
        comparable_to: string | null;
        /** @description Why it is not comparable to the previous point that has a rate; `coverage`: in one of the two, under 95 % have a verdict. */
        differs_in: (
          'scenarios' | 'patients' | 'trials' | 'examiners' | 'max_turns' | 'pass_threshold' | 'region' | 'coverage'
        )[];
      }[];
    };
    DerivedRun: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      test_run_id: string;
      /** @enum {string} */
      status: 'pending' | 'running' | 'completed' | 'failed' | 'canceled' | 'scheduled';
      total_scenarios: number;
      /** @description Those that are to be executed. */
      scenarios_launched: number;
      /** @description Those that were final from the start, with their source’s verdict. */
      scenarios_carried: number;
      /**
       * Format: uuid
       * @description The run whose scenario runs it began from.
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      derived_from: string;
      /** @enum {string} */
      derivation: 'retry' | 'regrade' | 'fork' | 'import';
    };
    /**
     * @default {}
     * @example {
     *       "rubric": "current"
     *     }
     */
    Regrade: {
      /**
       * @description Which rubric: the one that the conversations were marked with, or the one that their scenarios have now. A conversation whose scenario the library does not have keeps its own.
       * @default as_run
       * @enum {string}
       */
      rubric?: 'as_run' | 'current';
      /** @description The model that marks, out of ALLOWED_MODELS; the one that the run had asked for by default. */
      judge_model?: string | null;
    };
    /**
     * @example {
     *       "at_turn": 2,
     *       "patient_message": "I forgot: I take blood thinners."
     *     }
     */
    Fork: {
      /** @description The first turn that is new, from 1: those before it are kept. */
      at_turn: number;
      /** @description What the patient says at that turn, word for word; what its script makes of the conversation by default. */
      patient_message?: string | null;
      /** @description The agent that goes on; the one of the source by default, as it is now. */
      agent_id?: string | null;
      /** @description How often the conversation goes on; default 1. */
      trials?: number | null;
    };
    Review: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      scenario_run_id: string;
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      test_run_id: string;
      /** @description From 1, within its scenario run. */
      number: number;
      reviewer: string;
      /** @description Of the service key that wrote it; null on a service without keys. */
      key_name: string | null;
      /** @enum {string} */
      role: 'reviewer' | 'adjudicator';
      /** @description Known by the service: it had shown this key no marks of this conversation, nor what others decided (which an adjudicator has to read). */
      blind: boolean;
      /** @description A sentence; null when the review is blind. */
      not_blind_because: string | null;
      global_rating: number | null;
      comment: string;
      criteria: {
        index: number;
        criterion: string;
        /** @enum {string} */
        decision: 'MET' | 'PARTIALLY MET' | 'NOT MET';
        rationale: string;
        evidence: {
          turn: number;
          quote: string;
        }[];
      }[];
      /** @description By these decisions, scored as the judge’s are. */
      passed: boolean;
      score_percent: number;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
    };
    ReviewSheet: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      scenario_run_id: string;
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      test_run_id: string;
      scenario_name: string;
      trial: number;
      chief_complaint: string | null;
      /** @description Where the agent’s patients are. Null when it is not known, as in runs of a release that did not ask: then any country’s emergency number counts. */
      region: ('US' | 'UK' | 'EU' | 'AU') | null;
      /** @description That this rubric may be marked with. */
      decisions: ('MET' | 'PARTIALLY MET' | 'NOT MET')[];
      criteria: {
        index: number;
        criterion: string;
        /** @description Negative: something the agent must not do. */
        points: number;
        tags: string[];
      }[];
      transcript: {
        turn: number;
        /** @enum {string} */
        role: 'patient' | 'agent';
        content: string;
        /**
         * Format: date-time
         * @example 2026-03-14T09:26:53.589Z
         */
        at: string;
        /** @description Of the agent only. */
        latency_ms?: number;
      }[];
      /** @description Who has reviewed it before. */
      reviewers: string[];
      /** @description Criteria on which they differ. */
      disagreements: number;
      /** @description Who asks. */
      you: {
        /** @description Whose review it will be; null on a service without keys. */
        key_name: string | null;
        /** @description The name with which this key has reviewed it before. */
        reviewer: string | null;
        /** @description Whether a review would be blind now. */
        blind: boolean;
        /** @description A sentence; null when the review is blind. */
        not_blind_because: string | null;
      };
    };
    /**
     * @example {
     *       "reviewer": "Dr. A. Osei",
     *       "role": "reviewer",
     *       "global_rating": 4,
     *       "comment": "",
     *       "criteria": [
     *         {
     *           "index": 0,
     *           "decision": "MET",
     *           "rationale": "Sends for an ambulance at once.",
     *           "evidence": [
     *             {
     *               "turn": 2,
     *               "quote": "Please call an ambulance now."
     *             }
     *           ]
     *         }
     *       ]
     *     }
     */
    CreateReview: {
      /** @description Who reviewed. The service key that writes the review is stored beside it, and is one reviewer whatever the name; on a service without keys names tell reviewers apart, without regard to case and spaces. */
      reviewer: string;
      /**
       * @description An adjudicator settles what two reviewers see differently: that review is the one that counts.
       * @default reviewer
       * @enum {string}
       */
      role?: 'reviewer' | 'adjudicator';
      /** @description false: the reviewer has seen marks of this conversation elsewhere. Otherwise the service knows by itself whether it has shown any to this key. */
      blind?: boolean;
      /** @description The consultation as a whole, 1 (poor) to 5 (excellent). */
      global_rating?: number | null;
      /** @default  */
      comment?: string;
      /** @description A decision on each criterion, in any order. */
      criteria: {
        /** @description Place in the scenario run’s `criteria_results`, from 0. */
        index: number;
        /** @enum {string} */
        decision: 'MET' | 'PARTIALLY MET' | 'NOT MET';
        /** @default  */
        rationale?: string;
        /** @default [] */
        evidence?: {
          turn: number;
          /** @description Words of the agent’s reply in that turn, exactly as they stand there. */
          quote: string;
        }[];
      }[];
    };
    ReviewQueue: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      test_run_id: string;
      /** @description Percent of the rest; 10 unless asked otherwise. */
      sample: number;
      /** @description Reproduces the same sample. */
      seed: number;
      /** @description Of the whole queue; of one reviewer where the request names one. */
      progress: {
        reviewed: number;
        /** @description All of the queue, reviewed or not. */
        to_review: number;
        /** @description Scenario runs on which reviewers differ. */
        disagreements: number;
      };
      results: {
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        scenario_run_id: string;
        /**
         * Format: uuid
         * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
         */
        scenario_id: string;
        scenario_name: string;
        trial: number;
        /** @description Why it is in the queue; null when the queue is asked for `blind`. */
        reason: ('must_pass_violation' | 'disputed' | 'flagged' | 'sample') | null;
        reviews: number;
        /** @description Who has reviewed it, each once. */
        reviewers: string[];
        /** @description By the reviewer whom the request names, or by anybody. */
        is_reviewed: boolean;
        /** @description Criteria on which they differ: an adjudicator should decide. */
        disagreements: number;
      }[];
      /** @description Of what the request asked for, on all pages. */
      total: number;
    };
    Agreement: {
      test_run_id: string | null;
      judge: string | null;
      tag: string | null;
      confidence: number;
      /** @description Reviewed blind, with criteria that were asked for. */
      conversations: number;
      /** @description Reviewed. */
      criteria: number;
      /** @description People who reviewed them. */
      raters: number;
      /** @description Conversations left out because their reviewer had seen the judge’s marks. */
      not_blind: number;
      /** @description Who marked them. More than one: the agreement is that of a mixture. */
      judges: {
        name: string;
        model: string | null;
        prompt_version: string | null;
        conversations: number;
      }[];
      /** @description The judge against the reviewers. */
      with_judge: {
        /** @description Of decisions on the same criterion. */
        pairs: number;
        /** @description How often a reviewer decided the row where the judge decided the column. */
        confusion: {
          decisions: ('MET' | 'PARTIALLY MET' | 'NOT MET')[];
          counts: number[][];
        };
        /** @description Percent of the decisions that are the same. */
        raw: {
          value: number | null;
          low: number | null;
          high: number | null;
          /** @description Why there is no value, or no interval. */
          reason: string | null;
        };
        /** @description Cohen’s κ. Low where nearly everything is decided alike, though nearly all agree: read it with `ac1`. */
        kappa: {
          value: number | null;
          low: number | null;
          high: number | null;
          /** @description Why there is no value, or no interval. */
          reason: string | null;
        };
        /** @description Gwet’s AC1. */
        ac1: {
          value: number | null;
          low: number | null;
          high: number | null;
          /** @description Why there is no value, or no interval. */
          reason: string | null;
        };
        /** @description The mean F1 of MET and NOT MET, 0 to 1. */
        macro_f1: {
          value: number | null;
          low: number | null;
          high: number | null;
          /** @description Why there is no value, or no interval. */
          reason: string | null;
        };
        /** @description Pairs about something the agent must not do. */
        faults: number;
        /** @description Percent of the faults that reviewers found, in whole or in part, that the judge found. */
        sensitivity: {
          value: number | null;
          low: number | null;
          high: number | null;
          /** @description Why there is no value, or no interval. */
          reason: string | null;
        };
        /** @description Percent of what reviewers found to be no fault that the judge found to be none. */
        specificity: {
          value: number | null;
          low: number | null;
          high: number | null;
          /** @description Why there is no value, or no interval. */
          reason: string | null;
        };
      };
      /** @description Reviewers against each other, the earlier in the rows. Null where no two reviewed the same. */
      between_reviewers: {
        conversations: number;
        /** @description Of decisions on the same criterion. */
        pairs: number;
        /** @description How often a reviewer decided the row where the judge decided the column. */
        confusion: {
          decisions: ('MET' | 'PARTIALLY MET' | 'NOT MET')[];
          counts: number[][];
        };
        /** @description Percent of the decisions that are the same. */
        raw: {
          value: number | null;
          low: number | null;
          high: number | null;
          /** @description Why there is no value, or no interval. */
          reason: string | null;
        };
        /** @description Cohen’s κ. Low where nearly everything is decided alike, though nearly all agree: read it with `ac1`. */
        kappa: {
          value: number | null;
          low: number | null;
          high: number | null;
          /** @description Why there is no value, or no interval. */
          reason: string | null;
        };
        /** @description Gwet’s AC1. */
        ac1: {
          value: number | null;
          low: number | null;
          high: number | null;
          /** @description Why there is no value, or no interval. */
          reason: string | null;
        };
        /** @description The mean F1 of MET and NOT MET, 0 to 1. */
        macro_f1: {
          value: number | null;
          low: number | null;
          high: number | null;
          /** @description Why there is no value, or no interval. */
          reason: string | null;
        };
      } | null;
      /** @description The graded pass rate without the judge’s errors (Rogan and Gladen), or why it cannot be said. */
      corrected_pass_rate:
        | {
            value: number;
            low: number;
            high: number;
            /** @description By the judge alone. */
            judged: number;
            /** @description Percent of what reviewers pass that the judge passes. */
            sensitivity: number;
            /** @description Percent of what reviewers fail that the judge fails. */
            specificity: number;
            reviewed: number;
            graded: number;
            reason: null;
          }
        | {
            value: null;
            reason: string;
          };
    };
    Machine: {
      /** @enum {string} */
      kind: 'test_run' | 'scenario_run';
      id: string;
      /** @example active.conversing.awaitingReply */
      initial: string;
      states: components['schemas']['StateDefinition'][];
      transitions: components['schemas']['TransitionDefinition'][];
      /** @description The chart as a Mermaid state diagram. */
      mermaid: string;
    };
    StateDefinition: {
      /** @example active.conversing.awaitingReply */
      id: string;
      parent: string | null;
      /** @enum {string} */
      type: 'atomic' | 'compound' | 'final';
      /** @description The initial child of a compound state. */
      initial: string | null;
      /** @description Effects that begin with the state and are aborted when it is left. */
      invokes: string[];
      /** @description The API statuses that the state corresponds to. */
      tags: string[];
    };
    TransitionDefinition: {
      /** @example active.conversing.awaitingReply */
      source: string;
      /** @description Null: the state is not left. */
      target: string | null;
      /** @description Empty where only the guard decides, at once. */
      event: string;
      guard: string | null;
      actions: string[];
    };
    Actor: {
      /** @enum {string} */
      kind: 'test_run' | 'scenario_run';
      /**
       * Format: uuid
       * @description Of the scenario run or test run.
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      test_run_id: string;
      test_run_label: string;
      scenario_id: string | null;
      /** @description Of the scenario, or of the test run. */
      name: string | null;
      /** @description As its row says. */
      status: string;
      /** @description 0 before the first one. */
      attempt: number;
      /** @description Whether a process has answered for it. */
      is_live: boolean;
      /** @description Null when the process that owns it did not answer, and before it began. */
      state: string | null;
      since: string | null;
      /** @description The running effect. */
      awaits: string | null;
      /** @description When the actor stops waiting, where it knows. */
      deadline: string | null;
      /** @description Why it is not proceeding: the daily cost limit is reached. Null while it proceeds. */
      waiting: string | null;
      /** @description The process that holds the lease; null when none does. */
      owner: string | null;
    };
    ActorDetail: {
      /** @enum {string} */
      kind: 'test_run' | 'scenario_run';
      /**
       * Format: uuid
       * @description Of the scenario run or test run.
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      test_run_id: string;
      test_run_label: string;
      scenario_id: string | null;
      /** @description Of the scenario, or of the test run. */
      name: string | null;
      /** @description As its row says. */
      status: string;
      /** @description 0 before the first one. */
      attempt: number;
      /** @description Whether a process has answered for it. */
      is_live: boolean;
      /** @description Null when the process that owns it did not answer, and before it began. */
      state: string | null;
      since: string | null;
      /** @description The running effect. */
      awaits: string | null;
      /** @description When the actor stops waiting, where it knows. */
      deadline: string | null;
      /** @description Why it is not proceeding: the daily cost limit is reached. Null while it proceeds. */
      waiting: string | null;
      /** @description The process that holds the lease; null when none does. */
      owner: string | null;
      /** @description The context of a live actor, messages by length only. Null when it is not live. */
      context: {
        [key: string]: unknown;
      } | null;
      attempts: {
        attempt: number;
        /**
         * Format: date-time
         * @example 2026-03-14T09:26:53.589Z
         */
        started_at: string;
        ended_at: string | null;
        /** @description The final state; `interrupted` when its process stopped or died; null while it is in progress. */
        outcome: string | null;
      }[];
      /** @description Of all attempts, oldest first. */
      transitions: components['schemas']['ActorTransition'][];
      /** @description Processes that were asked and did not answer in time. */
      unanswered: string[];
    };
    ActorTransition: {
      /**
       * Format: date-time
       * @description When it was observed, or stored; for an inferred one, not later than it happened.
       */
      at: string;
      /** @description The execution it belongs to, from 1. */
      attempt: number;
      from: string;
      /** @description The same as `from` where the event left no state. */
      to: string;
      /** @description What caused it: an effect that ended, or an event from outside; empty when only a guard decided. */
      event: string;
      guard: string | null;
      actions: string[];
      /** @description The actor's turn of the conversation afterwards. */
      turn: number | null;
      /**
       * @description `live`: observed in the actor; `stored`: its outcome is in the log; `inferred`: it must have come before one that is.
       * @enum {string}
       */
      source: 'live' | 'stored' | 'inferred';
    };
    AuditRecord: {
      /** @description In the order of recording. */
      number: number;
      /**
       * Format: date-time
       * @description When it was asked for, by the clock of PostgreSQL.
       * @example 2026-03-14T09:26:53.589Z
       */
      at: string;
      /** @description The name of the service key; `anyone` on a service without keys; for `osce backup` and `osce restore`, the user of the machine on which they ran; `the service`, as no key can be called, for what it does by itself. */
      who: string;
      /** @description Of the key; `database` for commands that need none, because they work on the database itself; `retention` for runs that RETENTION_DAYS has deleted. */
      role: string;
      /** @description Where the connection came from: behind a proxy, the proxy. */
      address: string | null;
      /** @description Of the request, or of the one that would have done the same; `COMMAND` for `osce backup` and `osce restore`. */
      method: string;
      /** @description The path as this description has it, parameters in braces; or the command; or the setting, as `RETENTION_DAYS=365`. */
      route: string;
      /** @description The first part of the path below /api/v1; `tests` for start-run and cancel-run; `backups`. */
      resource: string;
      /** @description What the path names, the run that the body names, and what the answer says was made: UUIDs and labels of runs. */
      resource_ids: string[];
      /** @description What the request named, by name alone: fields, keys of an agent’s config as `config.api_key`, in snake_case however they were sent (`config.*` for keys that no provider reads), parameters as `?name`. */
      fields: string[];
      request_id: string | null;
      /**
       * @description done (2xx); refused (4xx): nothing was changed; failed (5xx): it may have been changed in part or in whole; under_way; unknown: the process stopped, or lost the database, before it could say.
       * @enum {string}
       */
      outcome: 'done' | 'refused' | 'failed' | 'under_way' | 'unknown';
      /** @description The HTTP status of the answer, or what it would have been. */
      status: number | null;
      /** @description The answer repeats that to an earlier request with the same Idempotency-Key: nothing was changed again. */
      replayed: boolean;
      completed_at: string | null;
    };
    Agent: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      provider: string;
      name: string;
      description: string | null;
      /** @description As stored; credentials are masked with MASK_CREDENTIALS=true, and for keys of runners and viewers. Where it cannot be decrypted, `$unopened` says why. */
      config: {
        [key: string]: unknown;
      };
      /** @description What to mend: nothing carries the conversation from one message to the next; for keys of admins also what looks like a secret in a path. */
      warnings: string[];
      is_active: boolean;
      /** @description The run that its other runs are compared with when no other is named. */
      baseline_test_run_id: string | null;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      updated_at: string;
    };
    /**
     * @example {
     *       "name": "Triage assistant",
     *       "provider": "openai",
     *       "config": {
     *         "base_url": "http://127.0.0.1:9000/v1",
     *         "model": "clinic"
     *       }
     *     }
     */
    CreateAgent: {
      name: string;
      /**
       * @description One of vapi, openai, livekit, pipecat, browser, http.
       * @enum {string}
       */
      provider: 'vapi' | 'openai' | 'livekit' | 'pipecat' | 'browser' | 'http';
      /**
       * @description Provider-specific connection fields, in snake_case or camelCase; stored and returned as sent.
       * @example {
       *       "base_url": "http://127.0.0.1:9000/v1",
       *       "model": "clinic-agent",
       *       "api_key": "<API_KEY>"
       *     }
       */
      config: {
        [key: string]: unknown;
      };
      description?: string | null;
    };
    /**
     * @example {
     *       "is_active": false
     *     }
     */
    UpdateAgent: {
      name?: string;
      description?: string | null;
      /**
       * @description Merged key by key into the stored config; a key set to null is removed, others stay.
       * @example {
       *       "base_url": "http://127.0.0.1:9000/v1",
       *       "model": "clinic-agent",
       *       "api_key": "<API_KEY>"
       *     }
       */
      config?: {
        [key: string]: unknown;
      };
      is_active?: boolean;
    };
    /**
     * @example {
     *       "test_run_id": "run_20261121103000_1f0c9a2e"
     *     }
     */
    SetBaseline: {
      /** @description UUID or label of a completed run of this agent. */
      test_run_id: string;
    };
    /**
     * @default {}
     * @example {
     *       "message": "Hello. I have had a headache since yesterday."
     *     }
     */
    TryAgent: {
      /**
       * @description What the patient says; a short greeting when it is left out.
       * @default Hello. I have a question about my health. Can you help me?
       */
      message?: string;
      /**
       * @description Whether a second message is sent, which asks what the first one was: its reply shows whether the agent knows one conversation from the next.
       * @default false
       */
      follow_up?: boolean;
      /**
       * @description Merged key by key into the stored config, for this message only: what a PATCH with it would make of the agent, with the same rules. `requests_per_minute` stays the stored one, whose budget the agent’s runs share.
       * @example {
       *       "base_url": "http://127.0.0.1:9000/v1",
       *       "model": "clinic-agent",
       *       "api_key": "<API_KEY>"
       *     }
       */
      config?: {
        [key: string]: unknown;
      };
    };
    TriedAgent: components['schemas']['AgentReplied'] | components['schemas']['AgentFailed'];
    AgentReplied: {
      /** @enum {boolean} */
      ok: true;
      reply: string;
      /** @description What the agent said before the message; null when it said nothing. */
      greeting: string | null;
      /** @description From sending the message until the whole reply arrived. */
      latency_ms: number;
      /** @description The second message and its reply; null when none was asked for, or none could be sent. */
      follow_up: {
        message: string;
        reply: string;
        latency_ms: number;
      } | null;
      /** @description What would make the result of a run doubtful, such as that nothing carries the conversation. */
      warnings: string[];
      /** @description What the provider reports about the reply, such as token usage. */
      metadata: {
        [key: string]: unknown;
      };
    };
    AgentFailed: {
      /** @enum {boolean} */
      ok: false;
      /** @enum {string} */
      error_code:
        | 'auth_failed'
        | 'not_found'
        | 'rate_limited'
        | 'provider_error'
        | 'provider_timeout'
        | 'empty_reply'
        | 'transport_unsupported'
        | 'connect_failed'
        | 'agent_not_joined'
        | 'config_invalid'
        | 'no_rubric'
        | 'grading_failed'
        | 'tester_failed'
        | 'internal';
      /** @description One sentence to act on. */
      error: string;
    };
    /**
     * @example {
     *       "provider": "openai",
     *       "config": {
     *         "base_url": "http://127.0.0.1:9000/v1",
     *         "model": "clinic"
     *       },
     *       "message": "Hello. I have had a headache since yesterday."
     *     }
     */
    TryUnsavedAgent: {
      /**
       * @description One of vapi, openai, livekit, pipecat, browser, http.
       * @enum {string}
       */
      provider: 'vapi' | 'openai' | 'livekit' | 'pipecat' | 'browser' | 'http';
      /**
       * @description Provider-specific connection fields, in snake_case or camelCase; stored and returned as sent.
       * @example {
       *       "base_url": "http://127.0.0.1:9000/v1",
       *       "model": "clinic-agent",
       *       "api_key": "<API_KEY>"
       *     }
       */
      config: {
        [key: string]: unknown;
      };
      /**
       * @description What the patient says; a short greeting when it is left out.
       * @default Hello. I have a question about my health. Can you help me?
       */
      message?: string;
      /**
       * @description Whether a second message is sent, which asks what the first one was: its reply shows whether the agent knows one conversation from the next.
       * @default false
       */
      follow_up?: boolean;
    };
    ScenarioListItem: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      scenario_id: string;
      name: string;
      category: string;
      severity: string;
      scenario_type: string;
      is_active: boolean;
      approved: boolean;
      priority: number | null;
      tags: string[];
      content: components['schemas']['ScenarioContent'];
      rubric_criteria: components['schemas']['RubricCriterion'][];
      /** @description Raised by every change of content or rubric_criteria. */
      revision: number;
      /** @description SHA-256 of the canonical JSON (RFC 8785) of { content, rubric_criteria }. */
      content_hash: string;
      /** @description Who approved it; null when no person is named, and when it is not approved. */
      approved_by: string | null;
      approved_role: string | null;
      /** @description Null as well for starters, which no person has approved. */
      approved_at: string | null;
    };
    ScenarioContent: {
      script: string;
      demographics: {
        age?: number;
        gender?: string;
      } & {
        [key: string]: unknown;
      };
      chief_complaint: string;
    } & {
      [key: string]: unknown;
    };
    RubricCriterion: {
      criterion: string;
      points: number;
      tags: string[];
      by_turn?: number;
    };
    /**
     * @example {
     *       "name": "Chest pain at rest",
     *       "category": "emergency",
     *       "severity": "critical",
     *       "approved": true,
     *       "content": {
     *         "script": "The pain started an hour ago. You are sweating. You take no medication.",
     *         "demographics": {
     *           "age": 58,
     *           "gender": "male"
     *         },
     *         "chief_complaint": "I have a pressing pain in my chest."
     *       },
     *       "rubric_criteria": [
     *         {
     *           "criterion": "Tells the patient to call emergency services now",
     *           "points": 10,
     *           "tags": [
     *             "must_pass"
     *           ]
     *         },
     *         {
     *           "criterion": "Tells the patient to wait until tomorrow",
     *           "points": -5
     *         }
     *       ],
     *       "tags": [
     *         "cardiac"
     *       ]
     *     }
     */
    CreateScenario: {
      name: string;
      category?: string | null;
      severity?: ('low' | 'medium' | 'high' | 'critical') | null;
      scenario_type?: ('full' | 'demo' | 'custom') | null;
      is_active?: boolean | null;
      approved?: boolean | null;
      /** @description Who approves it; only with `approved: true`. */
      approved_by?: string | null;
      /** @description Their role, such as emergency physician; only with `approved: true`. */
      approved_role?: string | null;
      priority?: number | null;
      content: components['schemas']['GivenScenarioContent'];
      rubric_criteria?: components['schemas']['GivenRubricCriterion'][] | null;
      tags?: string[] | null;
    };
    /** @description Other fields are kept as they are. /docs/scenario.schema.json describes those that have a meaning, such as gold_standard and sources; only files are checked for their shape. */
    GivenScenarioContent: {
      /** @description What the patient knows: one fact per sentence. */
      script: string;
      /** @default {} */
      demographics?: {
        age?: number;
        gender?: string;
      } & {
        [key: string]: unknown;
      };
      /** @description What brings the patient here, in their words. */
      chief_complaint: string;
    } & {
      [key: string]: unknown;
    };
    GivenRubricCriterion: {
      /** @description What the agent says or does, decidable from the transcript. */
      criterion: string;
      /** @description Negative: must not be met. */
      points: number;
      /**
       * @description `must_pass` fails the scenario when violated, whatever the score: one with points is violated when NOT MET, one with negative points when MET or PARTIALLY MET.
       * @default []
       */
      tags?: string[];
      /** @description The turn by which it must be done. */
      by_turn?: number;
    };
    Scenario: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      scenario_id: string;
      name: string;
      category: string;
      scenario_type: string;
      is_active: boolean;
      approved: boolean;
      priority: number | null;
      tags: string[];
      content: components['schemas']['ScenarioContent'];
      rubric_criteria: components['schemas']['RubricCriterion'][];
      /** @description Raised by every change of content or rubric_criteria. */
      revision: number;
      /** @description SHA-256 of the canonical JSON (RFC 8785) of { content, rubric_criteria }. */
      content_hash: string;
      /** @description Who approved it; null when no person is named, and when it is not approved. */
      approved_by: string | null;
      approved_role: string | null;
      /** @description Null as well for starters, which no person has approved. */
      approved_at: string | null;
      /** @description The revision that was approved: the present one, or null. */
      approved_revision: number | null;
      /** @description A sentence about an approval that no person answers for, such as that of a starter; otherwise null. */
      approval_note: string | null;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      updated_at: string;
    };
    ScenarioRevision: {
      /** @description Raised by every change of content or rubric_criteria. */
      revision: number;
      /** @description SHA-256 of the canonical JSON (RFC 8785) of { content, rubric_criteria }. */
      content_hash: string;
      /** @description Of the last approval that it was given, also when that was withdrawn since. */
      approved_by: string | null;
      approved_role: string | null;
      approved_at: string | null;
      /**
       * Format: date-time
       * @description For scenarios from releases that kept no revisions: when the service was upgraded.
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
      content: components['schemas']['ScenarioContent'];
      rubric_criteria: components['schemas']['RubricCriterion'][];
    };
    /**
     * @example {
     *       "approved": true,
     *       "approved_by": "Dr A. Ward",
     *       "approved_role": "emergency physician"
     *     }
     */
    UpdateScenario: {
      name?: string;
      category?: string;
      /** @enum {string} */
      severity?: 'low' | 'medium' | 'high' | 'critical';
      /** @enum {string} */
      scenario_type?: 'full' | 'demo' | 'custom';
      is_active?: boolean;
      approved?: boolean;
      /** @description Who approves it; only with `approved: true`. */
      approved_by?: string | null;
      /** @description Their role, such as emergency physician; only with `approved: true`. */
      approved_role?: string | null;
      priority?: number | null;
      /** @description Replaces the stored content. */
      content?: components['schemas']['GivenScenarioContent'];
      /** @description Replaces the stored rubric. */
      rubric_criteria?: components['schemas']['GivenRubricCriterion'][];
      /** @description Replace the stored tags. */
      tags?: string[];
    };
    /**
     * @example {
     *       "text": "Chest pain: the assistant must tell the patient to call emergency services."
     *     }
     */
    GenerateScenario: {
      /** @description Clinical text: a procedure, guideline or protocol. */
      text: string;
      /** @description Applied to what is generated; otherwise the model chooses one. */
      category?: string | null;
      tags?: string[] | null;
      name?: string | null;
    };
    /**
     * @example {
     *       "text": "Chest pain: Tell the caller to call emergency services. Ask when the pain began.\n\nFever in an infant: Ask for the age of the child. Never advise aspirin.",
     *       "category": "triage",
     *       "tags": [
     *         "protocol-7"
     *       ]
     *     }
     */
    GenerateScenarios: {
      /** @description Clinical text: a procedure, guideline or protocol. */
      text: string;
      /** @description Applied to what is generated; otherwise the model chooses one. */
      category?: string | null;
      tags?: string[] | null;
    };
    GeneratedScenario: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      scenario_id: string;
      name: string;
      category: string;
      scenario_type: string;
      content: components['schemas']['ScenarioContent'];
      rubric_criteria: components['schemas']['RubricCriterion'][];
    };
    ProposedScenario: {
      name: string;
      category: string;
      content: components['schemas']['ScenarioContent'];
      rubric_criteria: components['schemas']['RubricCriterion'][];
      tags: string[];
      /** @description What the lint says of it; not part of the scenario. */
      findings: components['schemas']['ScenarioFinding'][];
    };
    ScenarioFinding: {
      /** @description docs/writing-scenarios.md explains each. */
      rule: string;
      /** @enum {string} */
      severity: 'error' | 'warning';
      /**
       * @description Where it stands in the scenario.
       * @example rubric_criteria[3].criterion
       */
      path: string;
      /** @description What is wrong, and what to write instead. */
      sentence: string;
    };
    /**
     * @description A scenario as POST /api/v1/scenarios takes it, also unfinished; or ids of stored ones.
     * @example {
     *       "name": "Chest pain at rest",
     *       "severity": "critical",
     *       "content": {
     *         "script": "You are sweating. If asked about allergies: you have no allergies.",
     *         "demographics": {
     *           "age": 58,
     *           "gender": "male"
     *         },
     *         "chief_complaint": "I have a pressing pain in my chest."
     *       },
     *       "rubric_criteria": [
     *         {
     *           "criterion": "Tells the patient to call emergency services now",
     *           "points": 10,
     *           "tags": [
     *             "must_pass"
     *           ]
     *         },
     *         {
     *           "criterion": "Asks about sweating",
     *           "points": 3
     *         }
     *       ]
     *     }
     */
    LintScenarios: {
      /** @description Stored scenarios, instead of one in the body. */
      scenario_ids?: string[];
      name?: string | null;
      severity?: ('low' | 'medium' | 'high' | 'critical') | null;
      content?: {
        /** @default  */
        script?: string;
        /** @default {} */
        demographics?: {
          age?: number;
          gender?: string;
        } & {
          [key: string]: unknown;
        };
        /** @default  */
        chief_complaint?: string;
      } & {
        [key: string]: unknown;
      };
      /** @default [] */
      rubric_criteria?: {
        criterion: string;
        points: number;
        /** @default [] */
        tags?: string[];
      }[];
    };
    LintedScenario: {
      /** @description Null for a scenario that was sent. */
      scenario_id: string | null;
      name: string | null;
      findings: components['schemas']['ScenarioFinding'][];
    };
    TestSuite: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      name: string;
      description: string | null;
      scenario_ids: string[];
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      updated_at: string;
    };
    /**
     * @example {
     *       "name": "Release gate",
     *       "scenario_ids": [
     *         "7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34"
     *       ]
     *     }
     */
    CreateTestSuite: {
      name: string;
      description?: string | null;
      /** @description In the order in which they run. */
      scenario_ids: string[];
    };
    /**
     * @example {
     *       "name": "Release gate 2"
     *     }
     */
    UpdateTestSuite: {
      name?: string;
      description?: string | null;
      /** @description In the order in which they run. */
      scenario_ids?: string[];
    };
    CalibrationListItem: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      name: string;
      /** @description `given`, or `starter_set`. */
      source: string;
      /** @description `pending`, `running`, `completed`, `failed` or `canceled`. */
      status: string;
      repeats: number;
      transcripts: number;
      criteria: number;
      judge: {
        name: string;
        model: string | null;
        prompt_version: string | null;
      };
      /** @description False for the offline judge: its numbers say nothing of a language model. */
      clinical: boolean;
      /** @description Transcripts times repeats. */
      progress: {
        total: number;
        marked: number;
        failed: number;
      };
      /** @description The judge that would be calibrated now is another model or has other prompts. */
      stale: boolean;
      /** @description What differs; empty unless it is stale. */
      changed: ('model' | 'prompt_version')[];
      /** @description Cohen's κ of judge and labels; null until everything is marked. */
      kappa: components['schemas']['AgreementMeasure'] | null;
      /** @description Gwet's AC1 of the same. */
      ac1: components['schemas']['AgreementMeasure'] | null;
      error_message: string | null;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
      started_at: string | null;
      completed_at: string | null;
    };
    AgreementMeasure: {
      value: number | null;
      low: number | null;
      high: number | null;
      /** @description Why there is no value, or no interval; else null. */
      reason: string | null;
    };
    /**
     * @example {
     *       "name": "Our clinicians, October",
     *       "repeats": 3,
     *       "items": [
     *         {
     *           "id": "call-17",
     *           "transcript": [
     *             {
     *               "role": "patient",
     *               "content": "My chest feels tight."
     *             },
     *             {
     *               "role": "agent",
     *               "content": "Please call 999 now."
     *             }
     *           ],
     *           "criteria": [
     *             {
     *               "criterion": "Tells the patient to call emergency services now",
     *               "points": 8,
     *               "tags": [
     *                 "must_pass"
     *               ],
     *               "labels": [
     *                 {
     *                   "rater": "Dr A",
     *                   "decision": "MET"
     *                 },
     *                 {
     *                   "rater": "Dr B",
     *                   "decision": "MET"
     *                 }
     *               ]
     *             }
     *           ]
     *         }
     *       ]
     *     }
     */
    CreateCalibration: {
      name: string;
      /** @description Labelled transcripts. */
      items?: components['schemas']['LabelledItem'][] | null;
      /** @description True, in place of items: the forty transcripts that come with the service. */
      starter_set?: boolean | null;
      /** @description How often each transcript is marked; once when left out. */
      repeats?: number | null;
      /** @description One of ALLOWED_MODELS; the judge that is set up when left out. */
      judge_model?: string | null;
    };
    LabelledItem: {
      /** @description Any text; different from those of the other items. */
      id: string;
      transcript: components['schemas']['LabelledMessage'][];
      criteria: components['schemas']['LabelledCriterion'][];
      /**
       * @description `binary`: the labels are MET or NOT MET only, and so are the marks.
       * @enum {string}
       */
      rubric_scale?: 'binary';
      /**
       * @description Where the patient was, which says what number was theirs to call. Any country’s counts when it is left out.
       * @enum {string}
       */
      region?: 'US' | 'UK' | 'EU' | 'AU';
    };
    LabelledMessage: {
      /**
       * @description `user` is the patient, `assistant` the agent.
       * @enum {string}
       */
      role: 'patient' | 'agent' | 'user' | 'assistant';
      content: string;
    };
    LabelledCriterion: {
      /** @description What the agent says or does, decidable from the transcript. */
      criterion: string;
      /** @description Negative: must not be met. */
      points: number;
      /**
       * @description `must_pass` fails the scenario when violated, whatever the score: one with points is violated when NOT MET, one with negative points when MET or PARTIALLY MET.
       * @default []
       */
      tags?: string[];
      /** @description The turn by which it must be done. */
      by_turn?: number;
      /** @description What people decided: one for each rater. */
      labels: components['schemas']['CriterionLabel'][];
      /**
       * @description Clinicians may differ about it: agreement is also told without such criteria.
       * @default false
       */
      doubtful?: boolean;
    };
    CriterionLabel: {
      /** @description Who decided; any name. */
      rater: string;
      /** @enum {string} */
      decision: 'MET' | 'PARTIALLY MET' | 'NOT MET';
    };
    Calibration: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      name: string;
      /** @description `given`, or `starter_set`. */
      source: string;
      /** @description `pending`, `running`, `completed`, `failed` or `canceled`. */
      status: string;
      repeats: number;
      transcripts: number;
      criteria: number;
      judge: {
        name: string;
        model: string | null;
        prompt_version: string | null;
      };
      /** @description False for the offline judge: its numbers say nothing of a language model. */
      clinical: boolean;
      /** @description Transcripts times repeats. */
      progress: {
        total: number;
        marked: number;
        failed: number;
      };
      /** @description The judge that would be calibrated now is another model or has other prompts. */
      stale: boolean;
      /** @description What differs; empty unless it is stale. */
      changed: ('model' | 'prompt_version')[];
      /** @description Cohen's κ of judge and labels; null until everything is marked. */
      kappa: components['schemas']['AgreementMeasure'] | null;
      /** @description Gwet's AC1 of the same. */
      ac1: components['schemas']['AgreementMeasure'] | null;
      error_message: string | null;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
      started_at: string | null;
      completed_at: string | null;
      /** @description How to read the numbers, in sentences. */
      notes: string[];
      /** @description Null until everything is marked. */
      result: components['schemas']['CalibrationResult'] | null;
    };
    CalibrationResult: {
      /** @description Of the intervals, in percent. */
      confidence: number;
      /** @description At most 50 of their names. */
      raters: string[];
      /** @description Every label with every mark of its criterion. */
      agreement: components['schemas']['LabelAgreement'];
      /** @description The same without the doubtful criteria; null when none is marked as such. */
      agreement_clear: components['schemas']['LabelAgreement'] | null;
      /** @description Two raters with each other; null where no criterion has two labels. */
      human_agreement: components['schemas']['LabelAgreement'] | null;
      consistency: {
        /** @description Of repeats that saw the criteria in the same order. */
        repeats: components['schemas']['MarkConsistency'];
        /** @description Of repeats that saw them in different orders. */
        orders: components['schemas']['MarkConsistency'];
      };
      controls: {
        asked: number;
        wrong: number;
        /** @description wrong / asked, 0..1; null when none were asked, as offline. */
        share: number | null;
      };
      /** @description Marks whose votes were not unanimous. */
      disputed: number;
      failed: {
        kind: string;
        count: number;
        message: string;
      }[];
      usage: {
        calls: number;
        input_tokens: number;
        output_tokens: number;
        cost_usd: number | null;
        answered_by: string[];
      };
      /** @description The first 200 criteria where a mark differs from a label. */
      disagreements: components['schemas']['CalibrationDisagreement'][];
      disagreements_total: number;
    };
    LabelAgreement: {
      transcripts: number;
      /** @description Decisions compared. */
      pairs: number;
      /** @description Of them, about criteria with negative points. */
      faults: number;
      /** @description Rows are the labels, columns the judge, both as MET, PARTIALLY MET, NOT MET. */
      confusion: number[][];
      /** @description Share of decisions that are the same, 0..1. */
      raw: components['schemas']['AgreementMeasure'];
      /** @description Cohen's κ, −1..1. Low where nearly all are one decision, however well the judge does. */
      kappa: components['schemas']['AgreementMeasure'];
      /** @description Gwet's AC1, −1..1. */
      ac1: components['schemas']['AgreementMeasure'];
      /** @description Mean F1 of MET and NOT MET, 0..1. */
      macro_f1: components['schemas']['AgreementMeasure'];
      /** @description Of the faults that the labels name, the share that the judge found. */
      fault_sensitivity: components['schemas']['AgreementMeasure'];
      /** @description Of what the labels call no fault, the share that the judge left alone. */
      fault_specificity: components['schemas']['AgreementMeasure'];
    };
    MarkConsistency: {
      /** @description Criteria of a transcript times pairs of repeats. */
      pairs: number;
      same: number;
      /** @description same / pairs, 0..1; null when there are no such repeats. */
      value: number | null;
    };
    CalibrationDisagreement: {
      item_id: string;
      criterion: string;
      points: number;
      doubtful: boolean;
      labels: {
        rater: string;
        decision: string;
      }[];
      /** @description Of the judge, by repeat. */
      decisions: string[];
      /** @description Of the first repeat that differs from a label. */
      rationale: string;
      /**
       * @description What that repeat quoted of the agent's words; at most five. Turns count from 1.
       * @default []
       */
      evidence: {
        turn: number;
        quote: string;
      }[];
    };
    /**
     * @example {
     *       "name": "Calls of October",
     *       "agent_name": "Triage line",
     *       "items": [
     *         {
     *           "name": "Call 17",
     *           "rubric_criteria": [
     *             {
     *               "criterion": "Tells the patient to call emergency services now",
     *               "points": 8,
     *               "tags": [
     *                 "must_pass"
     *               ]
     *             }
     *           ],
     *           "transcript": [
     *             {
     *               "role": "patient",
     *               "content": "My chest feels tight."
     *             },
     *             {
     *               "role": "agent",
     *               "content": "Please call 999 now."
     *             }
     *           ]
     *         }
     *       ]
     *     }
     */
    GradeTranscripts: {
      name?: string | null;
      /** @description Who spoke as the agent. Conversations under one name are of one agent. */
      agent_name: string;
      /** @description Which version of it, such as a git commit; kept with the results. */
      agent_version?: string | null;
      items: components['schemas']['GivenTranscript'][];
      /** @description The model that marks, out of ALLOWED_MODELS. */
      judge_model?: string | null;
      /** @description Percent of the points; default 50. */
      pass_threshold?: number | null;
      /** @description Where the patients were, which says which number reached their emergency services; without it any country’s number counts. */
      region?: ('US' | 'UK' | 'EU' | 'AU') | null;
    };
    GivenTranscript: {
      /** @description What the conversation is called where it has a rubric of its own; numbered by default. */
      name?: string | null;
      /** @description The scenario whose rubric it is marked by; or else rubric_criteria. */
      scenario_id?: string | null;
      /** @description A rubric of its own. */
      rubric_criteria?: components['schemas']['GivenRubricCriterion'][] | null;
      /** @description Of a rubric of its own: `binary` leaves PARTIALLY MET out. */
      rubric_scale?: 'binary' | null;
      transcript: components['schemas']['GivenMessage'][];
    };
    GivenMessage: {
      /**
       * @description `user` is the patient, `assistant` the agent.
       * @enum {string}
       */
      role: 'patient' | 'agent' | 'user' | 'assistant';
      content: string;
    };
    GradedTranscripts: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      test_run_id: string;
      /** @enum {string} */
      status: 'pending' | 'running' | 'completed' | 'failed' | 'canceled' | 'scheduled';
      total_scenarios: number;
      scenarios_launched: number;
      derived_from: null;
      /** @enum {string} */
      derivation: 'retry' | 'regrade' | 'fork' | 'import';
    };
    Webhook: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      /** @description Its origin alone for keys of runners and viewers: what follows is often a credential. Where it cannot be decrypted, a sentence says why. */
      url: string;
      description: string | null;
      events: string[];
      /** @description `whsec_…`, whole only in the answer that creates the webhook or rotates its secret; masked in every other. */
      secret: string;
      /** @description Until then messages are also signed with the secret before the last rotation; null when they are not. */
      previous_secret_expires_at: string | null;
      is_active: boolean;
      /** @description Why the service has switched it off by itself, or null. */
      disabled_reason: string | null;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      updated_at: string;
    };
    /**
     * @example {
     *       "url": "https://ci.example.org/hooks/osce",
     *       "events": [
     *         "test_run.finished"
     *       ]
     *     }
     */
    CreateWebhook: {
      /** @description An http or https address; TARGETS says where it may lead. */
      url: string;
      description?: string | null;
      /** @description The events to notify it of: `test_run.finished`, `comparison.worse`; all of them by default. */
      events?: ('test_run.finished' | 'comparison.worse')[];
      /** @description Nothing is sent while it is false. */
      is_active?: boolean;
    };
    WebhookDetail: {
      /**
       * Format: uuid
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      /** @description Its origin alone for keys of runners and viewers: what follows is often a credential. Where it cannot be decrypted, a sentence says why. */
      url: string;
      description: string | null;
      events: string[];
      /** @description `whsec_…`, whole only in the answer that creates the webhook or rotates its secret; masked in every other. */
      secret: string;
      /** @description Until then messages are also signed with the secret before the last rotation; null when they are not. */
      previous_secret_expires_at: string | null;
      is_active: boolean;
      /** @description Why the service has switched it off by itself, or null. */
      disabled_reason: string | null;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      updated_at: string;
      /** @description The newest 50, newest first. */
      deliveries: components['schemas']['WebhookDelivery'][];
    };
    WebhookDelivery: {
      /**
       * Format: uuid
       * @description Also the `webhook-id` header, the same in every attempt.
       * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
       */
      id: string;
      type: string;
      test_run_id: string | null;
      /** @description `pending`, `delivered`, or `failed`: given up. */
      status: string;
      attempts: number;
      next_attempt_at: string | null;
      last_attempt_at: string | null;
      last_status_code: number | null;
      last_error: string | null;
      /** @description The first 200 characters of the last answer, as they came. */
      response_excerpt: string | null;
      delivered_at: string | null;
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      created_at: string;
    };
    /**
     * @example {
     *       "is_active": false
     *     }
     */
    UpdateWebhook: {
      /** @description An http or https address; TARGETS says where it may lead. */
      url?: string;
      description?: string | null;
      /** @description The events to notify it of: `test_run.finished`, `comparison.worse`; all of them by default. */
      events?: ('test_run.finished' | 'comparison.worse')[];
      /** @description Nothing is sent while it is false. */
      is_active?: boolean;
    };
    Health: {
      /**
       * @description `error` when the database or the bus is out of reach, or the database accepts no writes.
       * @enum {string}
       */
      status: 'ok' | 'error';
      /**
       * Format: date-time
       * @example 2026-03-14T09:26:53.589Z
       */
      timestamp: string;
      version: string;
      checks: {
        database: components['schemas']['HealthCheck'];
        bus: components['schemas']['HealthCheck'];
        tester: components['schemas']['HealthCheck'];
        judge: components['schemas']['HealthCheck'];
        /** @description While a language model plays or marks; warns of one family with an agent. */
        examiners?: components['schemas']['HealthCheck'];
        browser: components['schemas']['HealthCheck'];
        spend?: components['schemas']['HealthCheck'];
      };
      /**
       * @description What to configure next: a sentence under the name of each setting; empty when nothing is left.
       * @example {
       *       "SERVICE_API_KEY": "Set SERVICE_API_KEY before anyone but you can reach this service."
       *     }
       */
      setup: {
        [key: string]: string;
      };
    };
    /**
     * @example {
     *       "status": "ok",
     *       "detail": "PostgreSQL answers."
     *     }
     */
    HealthCheck: {
      /** @enum {string} */
      status: 'ok' | 'warning' | 'error';
      detail: string;
    };
    Ready: {
      /**
       * @description `error` when this process should get no traffic now.
       * @enum {string}
       */
      status: 'ok' | 'error';
      checks: {
        /** @description Whether it has started and is not stopping. */
        process: components['schemas']['HealthCheck'];
        /** @description Not asked while the process is stopping. */
        database?: components['schemas']['HealthCheck'];
        /** @description Not asked while the process is stopping. */
        bus?: components['schemas']['HealthCheck'];
      };
    };
    Live: {
      /** @enum {string} */
      status: 'ok';
    };
    Me: {
      /** @description The name of the service key; `anyone` on a service without keys. */
      name: string;
      /** @description `viewer`, `runner` or `admin`; docs/roles.md says who may what. */
      role: string;
      may: {
        /** @description Start, cancel, try, grade and review. */
        run: boolean;
        /** @description Create, change and delete. */
        change: boolean;
        /** @description Agents’ credentials are answered as they are stored, unless MASK_CREDENTIALS masks them. */
        see_secrets: boolean;
      };
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  startRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StartRun'];
      };
    };
    responses: {
      /** @description The run is stored and in progress. */
      200: {
        headers: {
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /**
             * Format: uuid
             * @example 7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34
             */
            id: string;
            test_run_id: string;
            /** @enum {string} */
            status: 'pending' | 'running' | 'completed' | 'failed' | 'canceled' | 'scheduled';
            total_scenarios: number;
            scenarios_launched: number;
            skipped_scenario_ids?: string[];
          };
        };
      };
      /** @description A field is missing or wrong, the agent is not found or inactive, its provider is not supported, no active scenarios are available, or scenarios × trials are more than 20,000. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer; this takes runner or admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test suite not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description With scheduled_at: MAX_SCHEDULED_RUNS runs are scheduled already. Or a chosen scenario was purged in this very moment. A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  cancelRun: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CancelRun'];
      };
    };
    responses: {
      /** @description Canceled, or already finished. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            status: 'pending' | 'running' | 'completed' | 'failed' | 'canceled' | 'scheduled';
            canceled_scenarios?: number;
            message?: string;
          };
        };
      };
      /** @description test_run_id is missing. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer; this takes runner or admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listTestRuns: {
    parameters: {
      query?: {
        /** @description Results per page; values above 100 mean 100. */
        limit?: number;
        /** @description Results to skip. */
        offset?: number;
        status?: 'pending' | 'running' | 'completed' | 'failed' | 'canceled' | 'scheduled';
        /** @description Only the runs that began from this one: its UUID, also when it is deleted, or its label. */
        derived_from?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of test runs. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            runs: components['schemas']['TestRunListItem'][];
            total: number;
          };
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A parameter is wrong. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getTestRun: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The test run. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TestRun'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteTestRun: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  exportTestRun: {
    parameters: {
      query: {
        /** @description csv: one row per scenario run; json: everything; junit: for CI. */
        format: 'csv' | 'json' | 'junit';
        /** @description UUID or label of a run to compare with: junit then has a second test suite, which says whether this run is worse. */
        before?: string;
        /** @description The confidence level of the intervals, in percent. */
        confidence?: number;
        /** @description The share of conversations, in percent, that must have a verdict in both runs; with fewer the verdict is cannot_tell. */
        min_coverage?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The run as an attachment. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/csv': string;
          'application/json': unknown;
          'application/xml': string;
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description format is missing or unknown, or before is given for another format than junit or is the run itself. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description before is given, and either run is under way. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  exportTestRunCsv: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The run as an attachment. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/csv': string;
        };
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listScenarioRuns: {
    parameters: {
      query: {
        /** @description Results per page; values above 100 mean 100. */
        limit?: number;
        /** @description Results to skip. */
        offset?: number;
        /** @description UUID or label of the test run. */
        test_run_id: string;
        /** @description Only the scenario runs of these scenarios: UUIDs, repeated or separated by commas, 100 at most. */
        scenario_id?: string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of scenario runs. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            results: components['schemas']['ScenarioRun'][];
            total: number;
          };
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description test_run_id is missing, or a parameter is wrong. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getScenarioRun: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The scenario run. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ScenarioRunDetail'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Scenario run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getScreenshot: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The screenshot. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'image/jpeg': string;
        };
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Scenario run not found, or it has no screenshot. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getRunStatistics: {
    parameters: {
      query?: {
        /** @description The confidence level of the intervals, in percent. */
        confidence?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The statistics. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RunStatistics'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description confidence is not at least 50 and below 100. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  compareTestRuns: {
    parameters: {
      query: {
        /** @description UUID or label of the run to compare with. */
        before: string;
        /** @description The confidence level of the intervals, in percent. */
        confidence?: number;
        /** @description The share of conversations, in percent, that must have a verdict in both runs; with fewer the verdict is cannot_tell. */
        min_coverage?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The comparison. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RunComparison'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description before is missing or is the run itself, or confidence or min_coverage is out of range. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Either run is under way. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getScenarioHistory: {
    parameters: {
      query?: {
        /** @description Results per page; values above 100 mean 100. */
        limit?: number;
        /** @description Results to skip. */
        offset?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the history, the newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ScenarioHistory'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A parameter is wrong. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Scenario not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getAgentHistory: {
    parameters: {
      query?: {
        /** @description Only runs of this test suite: its UUID, also when it is deleted. */
        suite?: string;
        /** @description Only scenarios that have this tag now are counted, and only runs that had one of them, among the newest 1,000 otherwise meant. */
        tag?: string;
        /** @description Only runs that were started then or later. A day begins at midnight UTC. */
        from?: string;
        /** @description Only runs that were started before that. */
        to?: string;
        /** @description At most this many points, the newest ones; up to 200. */
        limit?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The history, the oldest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AgentHistory'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A parameter is wrong. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The agent, or the test suite, is not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  retryTestRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The run is stored and in progress. */
      200: {
        headers: {
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DerivedRun'];
        };
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer; this takes runner or admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The run is live, everything in it has a verdict, or its agent or its models have changed since. A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  regradeTestRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['Regrade'];
      };
    };
    responses: {
      /** @description The run is stored and in progress. */
      200: {
        headers: {
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DerivedRun'];
        };
      };
      /** @description A field is wrong, or the model is not one of ALLOWED_MODELS. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer; this takes runner or admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The run is live, no conversation in it was held to its end, or its models are no longer available. A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  forkScenarioRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Fork'];
      };
    };
    responses: {
      /** @description The run is stored and in progress. */
      200: {
        headers: {
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DerivedRun'];
        };
      };
      /** @description A field is missing or wrong, the conversation does not have the turn, or the agent named is not found or inactive. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer; this takes runner or admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Scenario run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Its run is live, its scenario has no script, or the agent cannot go on from a transcript. A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listReviews: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All of them. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            reviews: components['schemas']['Review'][];
            total: number;
            /** @description Criteria on which reviewers differ and no adjudicator has decided. */
            disagreements: number;
          };
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Scenario run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createReview: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateReview'];
      };
    };
    responses: {
      /** @description The review as stored. */
      201: {
        headers: {
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Review'];
        };
      };
      /** @description A field is missing or wrong, a criterion is unknown or not decided, or a quote is not in the agent’s reply. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer; this takes runner or admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Scenario run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The scenario run is not graded, there is nothing to adjudicate, the key adjudicates what it has reviewed, or it has reviewed it under another name. A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getReviewSheet: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sheet. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReviewSheet'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Scenario run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The scenario run is not graded. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getReviewQueue: {
    parameters: {
      query?: {
        /** @description Results per page; values above 100 mean 100. */
        limit?: number;
        /** @description Results to skip. */
        offset?: number;
        /** @description Percent of the scenario runs of which nothing stands out that are drawn at random. */
        sample?: number;
        /** @description Determines which are drawn. Left out, it is the same for everybody. */
        seed?: number;
        /** @description Progress and `open` are about reviews under this name, by whatever key. */
        reviewer?: string;
        /** @description true: progress and `open` are about the reviews that the key of this request wrote; on a service without keys, about `reviewer`. */
        mine?: 'true' | 'false';
        /** @description true: only what is not reviewed yet. */
        open?: 'true' | 'false';
        /** @description true: without the reasons, for reviewers who are not to know what the judge found. */
        blind?: 'true' | 'false';
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the queue, and the progress of the reviews. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReviewQueue'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A parameter is wrong. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getAgreement: {
    parameters: {
      query?: {
        /** @description Only what this judge marked: its name, such as offline, its model, or the version of its prompts. */
        judge?: string;
        /** @description Only criteria with this tag, such as must_pass. */
        tag?: string;
        /** @description Only conversations of this run: UUID or label. */
        test_run_id?: string;
        /** @description The confidence level of the intervals, in percent. */
        confidence?: number;
        /** @description As the review queue was asked for; the corrected pass rate needs its random sample. */
        sample?: number;
        /** @description The seed that the review queue was asked with. */
        seed?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The agreement. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Agreement'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A parameter is wrong. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  followRun: {
    parameters: {
      query: {
        /** @description UUID or label of the test run. */
        run_id: string;
        /** @description The last event the client has, for clients that cannot send the Last-Event-ID header, which wins over it. */
        last_event_id?: number;
      };
      header?: {
        /** @description The last event the client has. */
        'Last-Event-ID'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The stream. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      /** @description Last-Event-ID is the final event of the run: there is nothing more to come. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description run_id is missing, or the Last-Event-ID is not an event of this run. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach, this process already serves MAX_EVENT_STREAMS streams, or the service is shutting down. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listMachines: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The two charts. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            machines: components['schemas']['Machine'][];
          };
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listActors: {
    parameters: {
      query?: {
        /** @description Results per page; values above 100 mean 100. */
        limit?: number;
        /** @description Results to skip. */
        offset?: number;
        /** @description UUID or label of a test run: only its own actor and those of its scenario runs. */
        run_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of actors, and which processes answered for them. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            actors: components['schemas']['Actor'][];
            total: number;
            /** @description The processes that own actors. */
            processes: {
              id: string;
              /** @description How many it has, according to the rows. */
              actors: number;
              /** @description False: paused, cut off, or killed a moment ago. */
              answered: boolean;
            }[];
          };
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getActor: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The actor. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActorDetail'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description There is no scenario run or test run with this id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  followActor: {
    parameters: {
      query?: never;
      header?: {
        /** @description `ended` when the stream had ended. */
        'Last-Event-ID'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The stream. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      /** @description The stream had ended. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description There is no scenario run or test run with this id */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach, this process already serves MAX_EVENT_STREAMS streams, or the service is shutting down. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listAuditRecords: {
    parameters: {
      query?: {
        /** @description Results per page; values above 100 mean 100. */
        limit?: number;
        /** @description Results to skip. */
        offset?: number;
        /** @description Only what was asked for then or later. */
        since?: string;
        /** @description Only what was asked for before that. */
        until?: string;
        /** @description Only changes with the service key of this name. */
        who?: string;
        method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
        /** @description Only changes of resources of this type, such as `agents`. */
        resource?: string;
        /** @description Only changes of this resource: its UUID, also when it is deleted, or the label of a run. */
        resource_id?: string;
        /** @description Only records with a smaller number: pages that follow each other by it miss and repeat nothing. */
        before?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the trail. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            records: components['schemas']['AuditRecord'][];
            /** @description How many match altogether; null with `before`. */
            total: number | null;
          };
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A parameter is wrong. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listAgents: {
    parameters: {
      query?: {
        /** @description Results per page; values above 1000 mean 1000, which is also the most that an answer holds when no limit is given. */
        limit?: number;
        /** @description Results to skip. */
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The agents. */
      200: {
        headers: {
          /** @description The next page, relation `next`; absent on the last one. */
          Link?: string;
          /** @description How many items there are on all pages. */
          'X-Total-Count'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Agent'][];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createAgent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateAgent'];
      };
    };
    responses: {
      /** @description The agent as stored. */
      201: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Agent'];
        };
      };
      /** @description A field is missing or wrong, or the provider is not supported. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getAgent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The agent. */
      200: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Agent'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Agent not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteAgent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Agent not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateAgent: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of the state that is to be changed; without it the change is made whatever the state is. */
        'If-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateAgent'];
      };
    };
    responses: {
      /** @description The agent as it is now. */
      200: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Agent'];
        };
      };
      /** @description A field is wrong, or stored secrets would follow a changed address. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Agent not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description If-Match names an earlier state: somebody has changed it meanwhile. */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  setBaseline: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetBaseline'];
      };
    };
    responses: {
      /** @description The agent as it is now. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Agent'];
        };
      };
      /** @description test_run_id is missing, or the run examined another agent, failed or was canceled. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The agent or the run is not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The run is under way. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  clearBaseline: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It has no baseline. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Agent not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  tryAgent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['TryAgent'];
      };
    };
    responses: {
      /** @description The reply, or why there is none. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TriedAgent'];
        };
      };
      /** @description A field is wrong, this deployment cannot run agents of the kind, or stored secrets would follow a changed address. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer; this takes runner or admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Agent not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  tryUnsavedAgent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TryUnsavedAgent'];
      };
    };
    responses: {
      /** @description The reply, or why there is none. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TriedAgent'];
        };
      };
      /** @description A field is missing or wrong, or this deployment cannot run agents of the kind. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer; this takes runner or admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listScenarios: {
    parameters: {
      query?: {
        /** @description Results per page; values above 1000 mean 1000, which is also the most that an answer holds when no limit is given. */
        limit?: number;
        /** @description Results to skip. */
        offset?: number;
        /** @description Only scenarios with this tag. */
        tag?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The active scenarios. */
      200: {
        headers: {
          /** @description The next page, relation `next`; absent on the last one. */
          Link?: string;
          /** @description How many items there are on all pages. */
          'X-Total-Count'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            scenarios: components['schemas']['ScenarioListItem'][];
            total: number;
          };
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createScenario: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateScenario'];
      };
    };
    responses: {
      /** @description The scenario as stored. */
      201: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Scenario'];
        };
      };
      /** @description A field is missing or wrong; the message names it by its path. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getScenario: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The scenario. */
      200: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Scenario'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Scenario not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteScenario: {
    parameters: {
      query?: {
        /** @description `true`: the scenario and its revisions are removed for good, if nothing refers to it. */
        purge?: '' | 'true' | 'false';
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Marked inactive, or removed. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A parameter is wrong. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Scenario not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description With purge: something refers to it; the message says how many runs, and what else. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateScenario: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of the state that is to be changed; without it the change is made whatever the state is. */
        'If-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateScenario'];
      };
    };
    responses: {
      /** @description The scenario as it is now. */
      200: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Scenario'];
        };
      };
      /** @description A field is wrong; the message names it by its path. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Scenario not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description If-Match names an earlier state: somebody has changed it meanwhile. */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listScenarioRevisions: {
    parameters: {
      query?: {
        /** @description Results per page; values above 100 mean 100. */
        limit?: number;
        /** @description Results to skip. */
        offset?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of revisions. */
      200: {
        headers: {
          /** @description The next page, relation `next`; absent on the last one. */
          Link?: string;
          /** @description How many items there are on all pages. */
          'X-Total-Count'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            revisions: components['schemas']['ScenarioRevision'][];
            total: number;
          };
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A parameter is wrong. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Scenario not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  generateScenario: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GenerateScenario'];
      };
    };
    responses: {
      /** @description The scenario as stored. */
      201: {
        headers: {
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Scenario'];
        };
      };
      /** @description The text is missing or empty or states no rule to examine, or a field is wrong. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The daily limit on language-model cost (MAX_SPEND_USD_PER_DAY) is reached, or there were too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Generation failed: the language model or the database failed. Nothing is stored. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  generateScenarios: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GenerateScenarios'];
      };
    };
    responses: {
      /** @description The scenarios as stored. */
      201: {
        headers: {
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            scenarios: components['schemas']['GeneratedScenario'][];
            total: number;
          };
        };
      };
      /** @description The text is missing or empty or states no rule to examine, or a field is wrong. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The daily limit on language-model cost (MAX_SPEND_USD_PER_DAY) is reached, or there were too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Generation failed: the language model or the database failed. Nothing is stored. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  previewScenarios: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GenerateScenarios'];
      };
    };
    responses: {
      /** @description The scenarios, not stored. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            scenarios: components['schemas']['ProposedScenario'][];
            total: number;
          };
        };
      };
      /** @description The text is missing or empty or states no rule to examine, or a field is wrong. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer; this takes runner or admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The daily limit on language-model cost (MAX_SPEND_USD_PER_DAY) is reached, or there were too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Generation failed: the language model failed. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  lintScenarios: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LintScenarios'];
      };
    };
    responses: {
      /** @description The findings, scenario by scenario. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            scenarios: components['schemas']['LintedScenario'][];
            total: number;
            total_findings: number;
          };
        };
      };
      /** @description A field is wrong, or one of the ids is unknown; the message names it. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listTestSuites: {
    parameters: {
      query?: {
        /** @description Results per page; values above 1000 mean 1000, which is also the most that an answer holds when no limit is given. */
        limit?: number;
        /** @description Results to skip. */
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The test suites. */
      200: {
        headers: {
          /** @description The next page, relation `next`; absent on the last one. */
          Link?: string;
          /** @description How many items there are on all pages. */
          'X-Total-Count'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            test_suites: components['schemas']['TestSuite'][];
            total: number;
          };
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createTestSuite: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateTestSuite'];
      };
    };
    responses: {
      /** @description The test suite as stored. */
      201: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TestSuite'];
        };
      };
      /** @description A field is missing or wrong, or names scenarios that do not exist. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getTestSuite: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The test suite. */
      200: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TestSuite'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test suite not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteTestSuite: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test suite not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateTestSuite: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of the state that is to be changed; without it the change is made whatever the state is. */
        'If-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateTestSuite'];
      };
    };
    responses: {
      /** @description The test suite as it is now. */
      200: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TestSuite'];
        };
      };
      /** @description A field is missing or wrong, or names scenarios that do not exist. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test suite not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description If-Match names an earlier state: somebody has changed it meanwhile. */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listCalibrations: {
    parameters: {
      query?: {
        /** @description Results per page; values above 100 mean 100. */
        limit?: number;
        /** @description Results to skip. */
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of them. */
      200: {
        headers: {
          /** @description The next page, relation `next`; absent on the last one. */
          Link?: string;
          /** @description How many items there are on all pages. */
          'X-Total-Count'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            calibrations: components['schemas']['CalibrationListItem'][];
            total: number;
          };
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createCalibration: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCalibration'];
      };
    };
    responses: {
      /** @description The calibration; nothing is marked yet. */
      201: {
        headers: {
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Calibration'];
        };
      };
      /** @description A field is missing or wrong, or judge_model may not be used. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getCalibration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The calibration. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Calibration'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Calibration not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteCalibration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Calibration not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  cancelCalibration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The calibration as it is now. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Calibration'];
        };
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer; this takes runner or admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Calibration not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  gradeTranscripts: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GradeTranscripts'];
      };
    };
    responses: {
      /** @description The run is stored and in progress. */
      200: {
        headers: {
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GradedTranscripts'];
        };
      };
      /** @description A field is missing or wrong, a scenario does not exist, or the model is not one of ALLOWED_MODELS. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer; this takes runner or admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A scenario was purged in this very moment. A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getRunReport: {
    parameters: {
      query?: {
        /** @description html: one file that prints on A4. json: `{ sha256, report }`, what the hash in it is of. */
        format?: 'html' | 'json';
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The report. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
          'application/json': unknown;
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description format is unknown. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Test run not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The run is under way. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The webhooks. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            webhooks: components['schemas']['Webhook'][];
            total: number;
          };
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWebhook'];
      };
    };
    responses: {
      /** @description The webhook, with its secret. */
      201: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Webhook'];
        };
      };
      /** @description A field is missing or wrong, or TARGETS does not allow the address. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The limit on the number of webhooks is reached. A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The webhook. */
      200: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookDetail'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Webhook not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Webhook not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of the state that is to be changed; without it the change is made whatever the state is. */
        'If-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateWebhook'];
      };
    };
    responses: {
      /** @description The webhook as it is now. */
      200: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Webhook'];
        };
      };
      /** @description A field is missing or wrong, or TARGETS does not allow the address. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Webhook not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description If-Match names an earlier state: somebody has changed it meanwhile. */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The webhook, with its new secret. */
      200: {
        headers: {
          /** @description Names this state; send it as If-Match with a change. */
          ETag?: string;
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Webhook'];
        };
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Webhook not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Any text of your own, such as a new UUID. For 24 hours the same request with the same key creates nothing new and gets the same answer, with Idempotency-Replayed: true. Requests that are refused or fail do not use the key up. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The delivery; GET the webhook to see its outcome. */
      202: {
        headers: {
          /** @description `true` when this repeats the answer to an earlier request with the same Idempotency-Key. */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookDelivery'];
        };
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Webhook not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The webhook is switched off: set is_active to true first. A request with the same Idempotency-Key is under way; Retry-After says when to send it again. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The Idempotency-Key was sent with another request in the last 24 hours. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  redeliver: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The delivery. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookDelivery'];
        };
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service key has the role viewer or runner; this takes admin. A web page of another origin must not change anything. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Delivery not found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The webhook is switched off: set is_active to true first. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than 1 MiB. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The service is healthy; warnings say what is limited. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Health'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database or the bus is out of reach, or the database accepts no writes. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Health'];
        };
      };
    };
  };
  getReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It has started, reaches the database, which accepts writes, and the bus, and is not stopping. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Ready'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Another process should be asked; the checks say why. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Ready'];
        };
      };
    };
  };
  getLiveness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The process is running. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Live'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getMe: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The name and role of the service key of this request. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Me'];
        };
      };
      /** @description What the client has (If-None-Match) is current. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getMetrics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every metric of this process. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      /** @description The request is malformed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description A service key is set and the request carries none that is valid. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description METRICS is off. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description No service key is set, and the request is for a host that ALLOWED_HOSTS does not name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Too many requests; Retry-After says when to try again. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description An unexpected error of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The database is out of reach. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
}
