/**
 * How requests to agents are sent: kept connections, paces that all processes share, and which addresses a config names. Other
 * floors come here for the connections, for the code of one that failed, and for whether a change of a config moves an address.
 */

export { isAddressField, movedAddresses } from './addresses';
export { codeOf } from './connection-failure';
export { OriginConnections } from './origin-connections';
export { RequestBudgetStore } from './request-budget.store';
