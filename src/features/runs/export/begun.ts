/** The same items, with the first already read: an error in reading it is thrown before an answer begins. */
export async function begun<Item>(items: AsyncIterable<Item>): Promise<AsyncIterable<Item>> {
  const rest = items[Symbol.asyncIterator]();
  const first = await rest.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => rest };
  })();
}
