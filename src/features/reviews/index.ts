/** The marks that clinicians give beside the judge’s, and how far they agree with it and with each other. */

export { ReviewsModule } from './reviews.module';
export { ReviewedConversationsStore } from './reviewed-conversations.store';
export { ReviewsStore } from './reviews.store';
