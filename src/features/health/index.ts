/** Whether this process lives, and whether it should be sent requests: `/health`. */

export { HealthModule } from './health.module';
