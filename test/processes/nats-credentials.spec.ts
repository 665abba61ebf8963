import { createLog } from '../../src/platform/config/log';
import { describeWithNats } from '../setup/describe-with-nats';
import { eventually } from '../setup/eventually';
import { NatsServer } from '../setup/nats-server';
import { startTestService } from '../setup/service';

const PASSWORD = 'unmistakable-p@ss/word';
/** In an address. */
const WRITTEN = encodeURIComponent(PASSWORD);

describeWithNats('a service whose NATS asks for a user and a password', (binary) => {
  test('says nowhere what the password is, neither while it works nor while NATS is away', async () => {
    const lines: string[] = [];
    const nats = await NatsServer.start(binary, ['-js', '--user', 'osce', '--pass', PASSWORD]);
    const service = await startTestService(
      { NATS_URL: nats.url.replace('//', `//osce:${WRITTEN}@`) },
      { log: createLog('debug', { write: (line) => lines.push(line) }) },
    );
    try {
      const shown: string[] = [];
      const health = async () => {
        const answer = await fetch(`${service.url}/health`);
        shown.push(await answer.text());
        return answer.status;
      };
      expect(await health()).toBe(200);
      await nats.kill();
      await eventually(async () => expect(await health()).toBe(503), 20_000);
      await nats.start();
      await eventually(async () => expect(await health()).toBe(200), 20_000);
      const said = [...lines, ...shown].join('\n');
      expect(said).toContain('The NATS server is out of reach');
      expect(said).not.toContain(PASSWORD);
      expect(said).not.toContain(WRITTEN);
    } finally {
      await service.close();
      await nats.close();
    }
  });
});
