/** What has ended but has not yet let go of its row or closed its session: a stopping process waits for it. */
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
