/** Tells a client which key its request came with, and what that key may do. */

export { MeModule } from './me.module';
