/**
 * Which addresses the service may connect to for agents and webhooks that clients registered. Code that opens such a connection
 * asks the guard; a browser goes through the filtering proxy.
 */

export { TargetGuard } from './target-guard';
export { TargetRefusal } from './target-refusal';
export { FilteringProxy, type ProxyGuest, type ProxyTarget } from './filtering-proxy';
export { TargetsModule } from './targets.module';
