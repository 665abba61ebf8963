/** How Node codes the errors of a certificate that it refuses: OpenSSL's names for what is wrong with it, and one for a name that it was not made for. */
const REFUSED = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH)/;

/** Whether the other side was reached and is not believed to be who it says it is. Trying again changes nothing. */
export function isUntrustedCertificate(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'string') return REFUSED.test(error.code);
  // With several addresses behind a name the failures are collected.
  return 'errors' in error && Array.isArray(error.errors) && error.errors.some(isUntrustedCertificate);
}
