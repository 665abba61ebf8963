/** Executions that have ended but not yet released their row or closed their session: a stopping process waits for them. */
export class Endings {
  private readonly underWay = new Set<Promise<unknown>>();

  get isEmpty(): boolean {
    return this.underWay.size === 0;
  }

  add<Result>(ending: Promise<Result>): Promise<Result> {
    this.underWay.add(ending);
    const isOver = () => this.underWay.delete(ending);
    ending.then(isOver, isOver);
    return ending;
  }
}
