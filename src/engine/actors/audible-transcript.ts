import { EffectFailed, type ExaminedTurn } from '../../domain';

/**
 * The transcript as it may be marked: of a spoken reply that was inaudible nothing, whatever the agent says that it said.
 * @throws EffectFailed for a call in which nothing of the agent was audible: that is no conversation to mark
 */
export function audibleTranscript(transcript: readonly ExaminedTurn[]): readonly ExaminedTurn[] {
  if (transcript.every(({ metadata }) => metadata?.['spoken'] === undefined)) return transcript;
  const audible = transcript.map((turn) => (isInaudible(turn) ? { ...turn, agentMessage: '' } : turn));
  if (audible.some(({ agentMessage }) => agentMessage !== '')) return audible;
  throw new EffectFailed({
    code: 'empty_reply',
    message:
      'Nothing that the agent said in the call was audible, so there is nothing to mark: listen to the recording, and look into the sound of the agent.',
  });
}

function isInaudible({ metadata }: ExaminedTurn): boolean {
  const spoken = metadata?.['spoken'];
  return typeof spoken === 'object' && spoken !== null && 'inaudible' in spoken && spoken.inaudible === true;
}
