import { z } from 'zod';
import { KnownTurns } from '../../voice/timing/known-agent-wire';

/** The room that an agent of known delays goes to, and what it does there. */
export const KnownRoomCommand = z.object({ url: z.string(), token: z.string(), turns: KnownTurns });
export type KnownRoomCommand = z.infer<typeof KnownRoomCommand>;
