import { z } from 'zod';
import { timestamp } from './field';
import { operation } from './operation';

const check = z
  .object({ status: z.enum(['ok', 'warning', 'error']), detail: z.string() })
  .meta({ id: 'HealthCheck', examples: [{ status: 'ok', detail: 'PostgreSQL answers.' }] });

export type HealthCheck = z.output<typeof check>;

const healthView = z
  .object({
    status: z
      .enum(['ok', 'error'])
      .describe('`error` when the database or the bus is out of reach, or the database accepts no writes.'),
    timestamp,
    version: z.string(),
    checks: z.object({
      database: check,
      bus: check,
      tester: check,
      judge: check,
      examiners: check.optional().describe('While a language model plays or marks; warns of one family with an agent.'),
      browser: check,
      spend: check.optional(),
    }),
    setup: z
      .record(z.string(), z.string())
      .describe('What to configure next: a sentence under the name of each setting; empty when nothing is left.')
      .meta({ examples: [{ SERVICE_API_KEY: 'Set SERVICE_API_KEY before anyone but you can reach this service.' }] }),
  })
  .meta({ id: 'Health' });

export type HealthView = z.output<typeof healthView>;

const readyView = z
  .object({
    status: z.enum(['ok', 'error']).describe('`error` when this process should get no traffic now.'),
    checks: z.object({
      process: check.describe('Whether it has started and is not stopping.'),
      database: check.optional().describe('Not asked while the process is stopping.'),
      bus: check.optional().describe('Not asked while the process is stopping.'),
    }),
  })
  .meta({ id: 'Ready' });

export type ReadyView = z.output<typeof readyView>;

const liveView = z.object({ status: z.literal('ok') }).meta({ id: 'Live' });

export type LiveView = z.output<typeof liveView>;

export const getHealth = operation({
  id: 'getHealth',
  method: 'GET',
  path: '/health',
  tag: 'Health',
  role: 'anyone',
  summary: 'Check the health of the service',
  answers: {
    200: { description: 'The service is healthy; warnings say what is limited.', schema: healthView },
    503: {
      description: 'The database or the bus is out of reach, or the database accepts no writes.',
      schema: healthView,
    },
  },
});

export const getReadiness = operation({
  id: 'getReadiness',
  method: 'GET',
  path: '/health/ready',
  tag: 'Health',
  role: 'anyone',
  summary: 'Check that the process should get traffic',
  answers: {
    200: {
      description: 'It has started, reaches the database, which accepts writes, and the bus, and is not stopping.',
      schema: readyView,
    },
    503: { description: 'Another process should be asked; the checks say why.', schema: readyView },
  },
});

export const getLiveness = operation({
  id: 'getLiveness',
  method: 'GET',
  path: '/health/live',
  tag: 'Health',
  role: 'anyone',
  summary: 'Check that the process is running',
  answers: { 200: { description: 'The process is running.', schema: liveView } },
});
