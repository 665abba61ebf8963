/** The rule that refuses a target. */
export type TargetRule = 'link_local' | 'metadata' | 'unusable' | 'own_service' | 'not_public' | 'not_listed';

/**
 * The deployment's settings do not allow an agent to live at this address. The sentence names the host as it was given, the rule, and the
 * setting that changes it; never the address that a name resolved to, which may be confidential.
 */
export class TargetRefusal extends Error {
  override readonly name = 'TargetRefusal';

  constructor(
    readonly rule: TargetRule,
    message: string,
  ) {
    super(message);
  }
}

const REASONS: Readonly<Record<TargetRule, string>> = {
  link_local: 'leads to a link-local address, where no agent may live, whatever TARGETS says',
  metadata: 'leads to the metadata service of a cloud, where no agent may live, whatever TARGETS says',
  unusable: 'leads to an address that belongs to no single machine (multicast, broadcast or reserved)',
  own_service:
    'leads to a port of this service itself (HTTP, PostgreSQL, NATS or its forward proxy), where no agent may live',
  not_public:
    'does not lead to a public address, and TARGETS=public allows no other: set TARGETS=local, or TARGETS=list with its host in ALLOWED_TARGETS',
  not_listed: 'is not allowed by TARGETS=list: add its host, or its address as a CIDR range, to ALLOWED_TARGETS',
};

/** @param host as it was given, with or without brackets */
export function refusal(rule: TargetRule, host: string, port: number): TargetRefusal {
  const shown = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  // A host name has at most 253 characters.
  return new TargetRefusal(rule, `The address ${shown.slice(0, 260)}:${port} ${REASONS[rule]}.`);
}
