/** What JSON can hold, read-only. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
