import { randomBytes } from 'node:crypto';
import { startFakeChatPage } from '../fakes/chat-page';
import { hang } from '../fakes/misbehaviour';
import { ApiClient } from '../setup/api-client';
import { TEST_BROWSER_DIR } from '../setup/browser';
import { Canaries } from '../setup/canaries';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService } from '../setup/service';

const START_OF_SCAN = 0xda;
/** Tables, frames, the bare JFIF header and the profile of its colours: what the picture is shown by. Texts have other segments. */
const STRUCTURE = [0xe0, 0xe2, 0xdb, 0xc0, 0xc2, 0xc4, 0xdd];

/** The markers of a JPEG's segments before its first scan. */
function segmentsOf(jpeg: Buffer): number[] {
  const markers: number[] = [];
  for (let at = 2; at + 4 <= jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg.readUInt8(at + 1);
    if (marker === START_OF_SCAN) return markers;
    markers.push(marker);
  }
  throw new Error('The picture has no scan.');
}

describeWithBrowser('the screenshot of a page that failed', () => {
  it('is made, and its file holds no word beside the picture: no address, header, cookie or key', async () => {
    const canaries = new Canaries();
    canaries.add('SECRETS_KEY', randomBytes(32).toString('base64'));
    const key = canaries.of('SERVICE_API_KEY');
    const executable = process.env['BROWSER_EXECUTABLE'];
    const page = await startFakeChatPage();
    const service = await startTestService({
      DATA_DIR: TEST_BROWSER_DIR,
      BROWSER_ALLOW_NO_SANDBOX: 'true',
      ...(executable === undefined ? {} : { BROWSER_EXECUTABLE: executable }),
      SERVICE_API_KEY: key,
      METRICS_TOKEN: canaries.of('METRICS_TOKEN'),
      SECRETS_KEY: canaries.of('SECRETS_KEY'),
    });
    try {
      const api = new ApiClient(service.url, { 'x-api-key': key });
      const { body: agent } = await api.post('/api/v1/agents', {
        name: 'Chat page',
        provider: 'browser',
        config: {
          url: `${page.baseUrl}?token=${canaries.of('url')}`,
          headers: { 'x-tenant': canaries.of('headers') },
          storage_state: {
            cookies: [{ name: 'session', value: canaries.of('cookie'), domain: '127.0.0.1', path: '/' }],
            origins: [],
          },
          message_selector: '.message.agent',
          // Within it a busy machine also has to open the page.
          turn_timeout_ms: 10_000,
        },
      });
      page.next(hang());
      const scenario_ids = await createScenarios(api, 1);
      const { body: run } = await api.post('/start-run', { agent_id: agent.id, scenario_ids, max_turns: 1 });
      expect(run.error).toBeUndefined();
      expect(await untilFinal(api, run.id, 90_000)).toMatchObject({ error_count: 1 });
      expect(canaries.foundIn(JSON.stringify(page.pageRequests)).sort()).toEqual(['cookie', 'headers', 'url']);

      const [{ screenshot_url }] = await scenarioRunsOf(api, run.id);
      expect(screenshot_url).not.toBeNull();
      const response = await fetch(service.url + screenshot_url, { headers: { 'x-api-key': key } });
      expect(response.status).toBe(200);
      expect(canaries.foundIn(JSON.stringify([...response.headers]))).toEqual([]);
      const picture = Buffer.from(await response.arrayBuffer());
      expect(picture.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
      expect(canaries.foundIn(picture)).toEqual([]);
      expect(segmentsOf(picture).filter((marker) => !STRUCTURE.includes(marker))).toEqual([]);
    } finally {
      await service.close();
      await page.close();
    }
  });
});
