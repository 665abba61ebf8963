import type { HttpException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/**
 * How an endpoint that is not for reading appears in the audit trail. `before`: it does nothing unless its record is stored. `beside`: it is
 * recorded if that can be done soon, and done in any case: nothing may stand in the way of stopping. `never`: it changes and starts nothing.
 */
export type Recording = 'before' | 'beside' | 'never';

export const Recorded = Reflector.createDecorator<Recording>();

/** What an endpoint answers instead of 503 when the database is out of reach before anything was done. */
export type OutageAnswer = () => HttpException;

export const WhenAway = Reflector.createDecorator<OutageAnswer>();
