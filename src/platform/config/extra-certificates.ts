import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isNativeError } from 'node:util/types';
import { SettingsError } from './setting-values';

const CERTIFICATE = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]*-----END (?:TRUSTED )?CERTIFICATE-----/g;

/**
 * Node reads NODE_EXTRA_CA_CERTS by itself when it starts, for every TLS connection; of a file that it cannot use it only warns, and each
 * connection fails later.
 * @param path of a PEM file; undefined: no such file is named
 * @throws SettingsError for a file that cannot be read or holds no certificate
 */
export function checkExtraCertificates(path: string | undefined): void {
  if (path === undefined) return;
  const refuse = (why: string, cause?: unknown) =>
    new SettingsError(`NODE_EXTRA_CA_CERTS names ${path}, which ${why}.`, { cause });
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const code = isNativeError(cause) && 'code' in cause ? String(cause.code) : 'unknown';
    throw refuse(code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`, cause);
  }
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw refuse('holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)');
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate);
    } catch (cause) {
      throw refuse('holds a certificate that cannot be read', cause);
    }
  }
}
