/**
 * Fields that stand beside an error and hold nothing that an agent says. An object with any other field is an answer, whatever it says of
 * errors: an agent may report that its voice failed and reply all the same.
 */
const BESIDE_AN_ERROR: ReadonlySet<string> = new Set([
  ...['error', 'errors', 'error_code', 'error_description', 'error_message', 'detail', 'details', 'message', 'msg'],
  ...['reason', 'code', 'status', 'status_code', 'status_text', 'type', 'title', 'instance', 'success', 'ok', 'path'],
  ...['method', 'timestamp', 'time', 'request_id', 'trace_id', 'correlation_id', 'id', 'object', 'data', 'result'],
  ...['session_id', 'conversation_id', 'thread_id', 'chat_id', 'user_id'],
  ...['retry_after', 'documentation_url', 'doc_url', 'help', 'hint', 'param', 'name', 'stack', 'user_message'],
]);

/** What servers write where there is no error. */
const NONE = /^\s*(?:none|null|nil|false|no|ok|0|)\s*$/i;
/** Values of `status`, as JSend and others write it. */
const FAILED = /^(?:error|fail|failed|failure)$/i;
/** More fields than an error has; the rest need not be looked at. */
const MOST_FIELDS = 20;

/**
 * Whether an answer that arrived with a status of success is nothing but an error: `{ "error": { … } }`, `{ "detail": "…" }`,
 * `{ "success": false, "message": "…" }`, `{ "statusCode": 401, "message": "…" }`. Whatever holds anything else is an answer.
 * @param replyPath where the config says that replies are: it may call them `detail`
 */
export function isErrorAnswer(answer: unknown, replyPath = ''): boolean {
  if (!isObject(answer)) return false;
  const fields = Object.entries(answer)
    .slice(0, MOST_FIELDS + 1)
    .map(([name, value]) => [snakeCase(name), value] as const);
  if (fields.length > MOST_FIELDS || fields.some(([name]) => !BESIDE_AN_ERROR.has(name))) return false;
  const given = fields.filter(([, value]) => value !== null);
  // Results that are there are an answer.
  if (given.some(([name, value]) => (name === 'data' || name === 'result') && !isNothing(value))) return false;
  const [only, ...others] = given;
  if (only?.[0] === 'detail' && others.length === 0) return !isNothing(only[1]) && !/\bdetail\b/.test(replyPath);
  return given.some(([name, value]) => isSign(name, value));
}

function isSign(name: string, value: unknown): boolean {
  switch (name) {
    case 'error':
    case 'errors':
      return value === true || (typeof value !== 'boolean' && typeof value !== 'number' && !isNothing(value));
    case 'success':
    case 'ok':
      return value === false;
    case 'status':
      return (typeof value === 'string' && FAILED.test(value)) || isErrorStatus(value);
    case 'type':
      return value === 'error';
    case 'code':
    case 'status_code':
      return isErrorStatus(value);
    default:
      return false;
  }
}

function isErrorStatus(value: unknown): boolean {
  return typeof value === 'number' && value >= 400 && value < 600;
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return NONE.test(value);
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) ? Object.keys(value).length === 0 : false;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function snakeCase(name: string): string {
  return name
    .slice(0, 100)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();
}
