/** The state of every actor and how it got there, for people who look; actors do not know about it. */

export { InspectionModule } from './inspection.module';
export { InspectionStore } from './inspection.store';
