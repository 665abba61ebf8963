/**
 * How requests leave the service where an organisation lets nothing out but through a forward proxy: which proxy a host is reached through,
 * and the tunnel through it. Agents and webhooks come here by the guard of targets, which checks addresses first; models and traces, whose
 * addresses are the operator's own, come here directly.
 */

export { Egress, type EgressRules } from './egress';
export { EgressModule } from './egress.module';
export type { ForwardProxy } from './forward-proxy';
export { ProxyFailure, type TunnelEnd } from './proxy-failure';
export { connectThrough, tunnelConnector } from './tunnel';
