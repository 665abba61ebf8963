/** What Prometheus scrapes: counts of committed events, gauges of this process, and `/metrics` itself. */

export { ScrapingModule } from './scraping.module';
