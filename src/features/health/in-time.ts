/** A server that takes longer to answer, or to write one row, is out of reach for clients too. */
export const CHECK_WITHIN_MS = 2_000;

/** What was asked for, or `late` when it takes longer than a check may. Rejects as the question does. */
export async function inTime<Value>(asked: Promise<Value>, late: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(late), CHECK_WITHIN_MS);
  });
  return Promise.race([asked, timeout]).finally(() => clearTimeout(timer));
}
