import { settingsFrom } from '../../../src/platform/config/settings';
import { Egress } from '../../../src/platform/egress/egress';
import { OwnServices } from '../../../src/platform/targets/own-services';
import { TargetGuard } from '../../../src/platform/targets/target-guard';
import { TargetPolicy } from '../../../src/platform/targets/target-policy';
import { startForwardProxy, type FakeForwardProxy } from '../../fakes/forward-proxy';
import { MediaStreamBot } from '../../fakes/media-stream-bot';
import { MediaStreamCalls } from '../../setup/media-stream-calls';
import { unaborted } from '../provider.contract';

/** Lines to bots behind a forward proxy. The name leads to an address that the proxy alone reaches: nothing leaves this machine. */
const PUBLIC = '93.184.216.34';
const URL_OF_BOT = 'ws://bot.example/media';

let bot: MediaStreamBot;
let proxy: FakeForwardProxy;
let calls: MediaStreamCalls;

async function start(addresses: readonly string[]): Promise<void> {
  bot = await MediaStreamBot.start({ replies: [{ delayMs: 500, soundMs: 600 }] });
  proxy = await startForwardProxy({ credentials: 'clinic:secret', leadsTo: `http://127.0.0.1:${bot.port}` });
  const variables = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, TARGETS: 'public' };
  const settings = settingsFrom(variables);
  const resolve = () => Promise.resolve(addresses);
  const egress = new Egress(settings.egress);
  const own = new OwnServices(() => egress.proxies, resolve);
  const guard = new TargetGuard(new TargetPolicy(settings.targets, own), own, resolve, egress);
  calls = new MediaStreamCalls({ greeting: 300, longestSpeech: 20_000 }, guard);
}

afterEach(async () => {
  await calls.close();
  await proxy.close();
  await bot.close();
});

test('a bot is asked for by the address that was checked, under its own name, and a turn is held', async () => {
  await start([PUBLIC]);
  const { session } = await calls.call({ url: URL_OF_BOT });
  const { spoken } = await session.send('My chest hurts.', unaborted());
  await session.close();
  expect(spoken?.heard.length).toBeGreaterThan(0);
  expect(proxy.asked).toEqual([{ method: 'CONNECT', target: `${PUBLIC}:80`, credentials: 'clinic:secret' }]);
  expect(bot.call.headers).toMatchObject({ host: 'bot.example' });
  expect(bot.call.headers).not.toHaveProperty('proxy-authorization');
});

test('a name that leads to this machine is refused before the proxy hears of it', async () => {
  await start(['127.0.0.1']);
  await expect(calls.call({ url: URL_OF_BOT })).rejects.toMatchObject({ code: 'config_invalid' });
  expect(proxy.asked).toEqual([]);
});

test('a proxy that refuses is named in the error, and its password is not', async () => {
  await start([PUBLIC]);
  proxy.behave({ status: 403 });
  const error = await calls.call({ url: URL_OF_BOT }).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'connect_failed', message: expect.stringMatching(/proxy.*403/i) });
  expect(JSON.stringify(error)).not.toContain('secret');
  expect(bot.calls).toEqual([]);
});
