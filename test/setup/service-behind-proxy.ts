import { startTcpProxy, type TcpProxy } from './tcp-proxy';
import { createTestDatabase } from './database';
import { startTestService, type TestService } from './service';

export interface ServiceBehindProxy {
  readonly service: TestService;
  /** Between the service and its database. */
  readonly proxy: TcpProxy;
  readonly close: () => Promise<void>;
}

/** A service whose database can be taken away from it, and given back. */
export async function startBehindProxy(): Promise<ServiceBehindProxy> {
  const database = await createTestDatabase();
  const proxy = await startTcpProxy(database.url);
  const service = await startTestService({}, { database: { ...database, url: proxy.url } });
  return {
    service,
    proxy,
    close: async () => {
      await service.close();
      await proxy.close();
      await database.drop();
    },
  };
}
