import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Helmet's headers for a service that is reached over loopback or behind a TLS proxy: no HSTS and no upgrade to https,
 * which are up to the proxy. Pages load from this origin only; the API description's page has inline styles.
 */
export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: false,
  });
}
