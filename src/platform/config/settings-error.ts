/** A setting that cannot be used: one sentence naming the variable, what was given and what is accepted. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
