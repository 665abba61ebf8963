/**
 * The runs that people see, as a table in a query: tests of agents. A run that calibrates a judge is found by its calibration alone
 * (docs/calibration.md): it is in no list, history, export, review or webhook, and no rule of retention deletes it.
 */
export const SHOWN_RUNS = '(SELECT * FROM test_runs WHERE calibrated_judge IS NULL)';

/**
 * How the patient of a run `t` sounded and who heard the agent, to be compared as text; null where it was written. The voice is that of its engine, a seed is
 * chance, and no verdict depends on the release or the error of its times.
 */
export const SPOKEN_CONDITIONS = `(t.spoken - '{voice,seed,timing_error_ms,harness_version}'::text[])::text`;
