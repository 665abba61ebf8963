/** Runs that only mark: conversations held elsewhere are imported and given to the judge. */

export { TranscriptsModule } from './transcripts.module';
