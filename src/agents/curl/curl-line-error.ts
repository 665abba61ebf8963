/** Why a curl line cannot be used, in one sentence that names the mend. */
export class CurlLineError extends Error {
  override readonly name = 'CurlLineError';
}
