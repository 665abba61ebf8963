/** The body of an answer in chunks as they arrive; leaving the loop early cancels the rest. */
export async function* bytesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  for await (const chunk of body) {
    if (chunk instanceof Uint8Array) yield chunk;
  }
}
