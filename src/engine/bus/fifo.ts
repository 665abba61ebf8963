interface Link<T> {
  readonly value: T;
  next: Link<T> | undefined;
}

/** First in, first out, in constant time at any length (`Array.shift` moves every element of a long array). */
export class Fifo<T> {
  private head: Link<T> | undefined;
  private tail: Link<T> | undefined;

  push(value: T): void {
    const link: Link<T> = { value, next: undefined };
    if (this.tail) this.tail.next = link;
    else this.head = link;
    this.tail = link;
  }

  shift(): T | undefined {
    const first = this.head;
    if (!first) return undefined;
    this.head = first.next;
    if (!this.head) this.tail = undefined;
    return first.value;
  }
}
