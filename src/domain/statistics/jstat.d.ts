/** What is used of jStat, which comes without types. */
declare module 'jstat' {
  export const jStat: {
    readonly normal: {
      readonly inv: (probability: number, mean: number, deviation: number) => number;
      readonly cdf: (value: number, mean: number, deviation: number) => number;
    };
    readonly studentt: { readonly inv: (probability: number, degreesOfFreedom: number) => number };
  };
}
