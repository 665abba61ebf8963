/** SQL of a time as the API writes it: ISO 8601 in UTC, to the millisecond; null where there is none. */
export function isoTime(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
