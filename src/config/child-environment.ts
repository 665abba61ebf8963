/** How variables are called that hold what a child process has no business with. */
const SECRET_NAME = /key|token|secret|passw|credential|^(DATABASE|NATS|PG|ANTHROPIC|OPENAI)/i;

/** The environment for a program that the service starts: this process's own, without credentials. */
export function childEnvironment(): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !SECRET_NAME.test(name)) kept[name] = value;
  }
  return kept;
}
