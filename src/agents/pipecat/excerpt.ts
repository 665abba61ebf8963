/**
 * The beginning of something a bot sent, as text that PostgreSQL and JSON can hold: well-formed and without NUL. Objects
 * are written as JSON: kept as text, nesting thousands deep cannot harm a later reader.
 */
export function excerpt(value: unknown, maxLength = 200): string {
  const text = typeof value === 'string' ? value : jsonText(value);
  return text.slice(0, maxLength).toWellFormed().replaceAll('\0', '\ufffd');
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '(nested too deeply to be shown)';
  }
}
