const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID; anything else is an id that does not exist. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
