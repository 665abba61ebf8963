/**
 * The runs that people see, as a table in a query: tests of agents. A run that calibrates a judge is found by its calibration alone
 * (docs/calibration.md): it is in no list, history, export, review or webhook, and no rule of retention deletes it.
 */
export const SHOWN_RUNS = '(SELECT * FROM test_runs WHERE calibrated_judge IS NULL)';
