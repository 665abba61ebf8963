/** Answered without a key and never rate-limited, since probes of orchestrators have none: the endpoints whose role is `anyone`. */
export const OPEN_PATHS: ReadonlySet<string> = new Set(['/health', '/health/live', '/health/ready']);
