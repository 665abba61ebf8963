/** Spoken conversations: what was recorded of them, who said what when, and what a run's voice is worth (docs/spoken.md). */

export { SpeechModule } from './speech.module';
export { RecordingsStore } from './recordings.store';
export { SpokenConversationsStore } from './spoken-conversations.store';
