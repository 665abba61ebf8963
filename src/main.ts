import 'reflect-metadata';
import { createLog, type Log } from './platform/config/log';
import { misspeltSettings } from './platform/config/misspelt-settings';
import { readSettings } from './platform/config/settings';
import { seedDemoService } from './demo/seed-demo';
import { addressSentences } from './start/address-sentences';
import { createApp } from './start/create-app';
import { outliveSubscribers } from './start/outlive-subscribers';
import { startFailureSentence } from './start/start-failure';
import { stopOnSignals } from './start/stop-on-signals';
import { answerToArguments } from './start/usage';

/** Starts the service. It says where it listens, or in one sentence why it cannot and what to do about it. */
async function main(): Promise<void> {
  const answer = answerToArguments(process.argv.slice(2));
  if (answer !== null) return void process.stdout.write(`${answer}\n`);
  const settings = readSettings();
  const log = createLog(settings.logLevel);
  for (const slip of misspeltSettings()) log.warn('A variable looks like a setting and is none', { ...slip });
  outliveSubscribers(log);
  logStrayErrors(log);
  const app = await createApp(settings, log);
  stopOnSignals(app, log);
  try {
    await seedDemoService(app);
    await app.listen(settings.port, settings.host);
  } catch (error) {
    // An embedded database must not outlive us.
    await app.close();
    throw error;
  }
  for (const sentence of addressSentences(settings, app.getHttpServer())) process.stdout.write(`${sentence}\n`);
}

/** Every promise and actor handles its own failures: what arrives here is a mistake of ours, worth a line in the log. */
function logStrayErrors(log: Log): void {
  process.on('unhandledRejection', (error) => log.error('Unhandled promise rejection', { error }));
  process.on('uncaughtException', (error) => {
    log.error('Uncaught exception', { error });
    // What it left half done is unknown. Runs resume from their rows after the restart.
    process.kill(process.pid, 'SIGTERM');
    process.exitCode = 1;
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${startFailureSentence(error)}\n`);
  process.exit(1);
});
