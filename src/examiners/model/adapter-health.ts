/** What the health check says about a tester or judge: a warning when it is not good enough for real verdicts. */
export interface AdapterHealth {
  readonly status: 'ok' | 'warning';
  readonly detail: string;
}
