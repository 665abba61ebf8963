interface Placed {
  readonly path: string;
  readonly context: { readonly config: { readonly rootDir: string } };
}

declare class RandomOrder {
  constructor(options: { readonly contexts: readonly unknown[]; readonly globalConfig: { readonly seed: number } });
  /** In an order that is by the seed and each file's path. */
  sort<File extends Placed>(files: readonly File[]): File[];
}
export = RandomOrder;
