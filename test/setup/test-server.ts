/** What the start of the Jest run leaves for the test files (through the environment) and for its end (through the global). */
interface TestServer {
  /** Of a user who may make databases. */
  readonly adminUrl: string;
  /** Of the owner of the test databases: the service's own role, which may do nothing else. */
  readonly ownerUrl: string;
  /** The migrated database that test databases are copied from. */
  readonly template: string;
  /** This run started it and nothing in it outlives the run: databases may be copied file by file, past the write-ahead log. */
  readonly isOurs: boolean;
  readonly stop: () => Promise<void>;
}

declare global {
  var agentOsceTestServer: TestServer | undefined;
}

export const onTestServer = {
  set(server: TestServer): void {
    globalThis.agentOsceTestServer = server;
    process.env['OSCE_TEST_ADMIN_URL'] = server.adminUrl;
    process.env['OSCE_TEST_OWNER_URL'] = server.ownerUrl;
    process.env['OSCE_TEST_TEMPLATE'] = server.template;
    process.env['OSCE_TEST_COPY'] = server.isOurs ? 'STRATEGY FILE_COPY' : '';
  },
  get(): TestServer {
    if (globalThis.agentOsceTestServer === undefined) throw new Error('The test database server was not started.');
    return globalThis.agentOsceTestServer;
  },
};

/** The same server and user, another database. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.toString();
}
