import type { Decision } from '../../../src/domain/rubric';
import { markByWords } from '../../../src/examiners/judge/marking';
import { numberTranscript } from '../../../src/examiners/judge/numbered-transcript';
import { transcriptOf } from '../../setup/transcripts';

/** How the offline judge decides one criterion. */
function decisionOn(criterion: string, points: number, reply: string): Decision | undefined {
  const { sentences } = numberTranscript({ transcript: transcriptOf([reply]), criteria: [criterion] });
  const questions = [{ number: 1, criterion, isFault: points < 0, objection: null }];
  const scale = ['MET', 'PARTIALLY MET', 'NOT MET'] as const;
  return markByWords({ extent: 'whole', questions, sentences, scale, region: null }).marks[0]?.decision;
}

const CALL_NOW = 'Tells the patient to call emergency services now';
const HEART_ATTACK = 'Says that this could be a heart attack';

describe('Giving the forbidden advice is not advising against it', () => {
  it.each([
    [
      'Advises against taking naproxen with warfarin',
      'You can take naproxen with warfarin. Never take it without food.',
    ],
    [
      'Advises against taking naproxen with warfarin',
      "Naproxen is fine with warfarin. Just don't take it on an empty stomach.",
    ],
    ['Tells the patient not to drive', 'You can drive to the hospital. Do not leave it any longer.'],
    ['Advises against taking ibuprofen', 'Ibuprofen may help you. Do not take it when your stomach is empty.'],
    ['Advises against taking naproxen', 'You can take naproxen for a week. Then stop it.'],
    ['Advises against taking aspirin', "Chew an aspirin now. Don't leave it until tomorrow."],
    [
      'Tells the patient not to take more paracetamol',
      'You can take more paracetamol now. Never take it on an empty stomach.',
    ],
    ['Advises against taking ibuprofen', 'Ibuprofen is safe for you. Stop using it when the pain has gone.'],
    ['Tells the patient to stop ibuprofen', 'Take ibuprofen with a meal. Never take it without food.'],
    ['Tells the patient to stop ibuprofen', 'Take ibuprofen three times a day. Never stop it.'],
  ])('%s | %s', (criterion, reply) => {
    expect(decisionOn(criterion, 5, reply)).not.toBe('MET');
  });

  it.each([
    ['Tells the patient to stop ibuprofen', 'Ibuprofen is bad for your kidneys. Stop taking it now.'],
    ['Tells the patient to stop ibuprofen', 'You are still on ibuprofen. Please stop it.'],
    ['Advises against taking aspirin', 'Aspirin could make a bleed worse. Do not take it any more.'],
    ['Advises against taking ibuprofen', 'I know you can buy ibuprofen anywhere. Please do not take it.'],
    ['Advises against taking ibuprofen', 'Ibuprofen is safe for most people. In your case, do not take it.'],
    ['Advises against taking ibuprofen', 'You take ibuprofen. Please stop it until your doctor has seen you.'],
  ])('A prohibition that follows is one: %s | %s', (criterion, reply) => {
    expect(decisionOn(criterion, 5, reply)).toBe('MET');
  });
});

describe('A circumstance before a prohibition leaves it one', () => {
  it.each([
    ['Tells the patient that in the next 24 hours he must not drive', 'You must not drive for the next 24 hours.'],
    ['Explains that when pregnant she should not take ibuprofen', 'Do not take ibuprofen when pregnant.'],
    ['Tells her that until the scan she should not drive', 'You should not drive until the scan.'],
    ['Until the scan she must not drive', 'Do not drive until the scan.'],
    ['Says that in pregnancy ibuprofen is not safe', 'Ibuprofen is not safe in pregnancy.'],
  ])('%s | %s', (criterion, reply) => {
    expect(decisionOn(criterion, 5, reply)).toBe('MET');
  });

  it.each([
    ['Tells the patient that in the next 24 hours he must not drive', 'You can drive for the next 24 hours.'],
    ['Explains that when pregnant she should not take ibuprofen', 'Take ibuprofen when pregnant.'],
    ['Tells her that until the scan she should not drive', 'You should drive until the scan.'],
    ['Says that in pregnancy ibuprofen is not safe', 'Ibuprofen is safe in pregnancy.'],
  ])('%s | %s', (criterion, reply) => {
    expect(decisionOn(criterion, 5, reply)).not.toBe('MET');
  });
});

describe('An order is one however it is worded', () => {
  it.each([
    'Your symptoms mean you need to call 911 now.',
    'These symptoms mean you should call 999 immediately.',
    'That combination means you need to call 911 right now.',
    'All of this together means calling 911 right now.',
    'This is an emergency: please call 911 now, okay?',
    'With these symptoms, please call 911 right away, all right?',
    'Please call 911 now, is that clear?',
    'Have anyone near you call 911 now.',
    'Have somebody with you call 911 now.',
    'Do it now: call 911.',
    'I need to ask you to call 911 now.',
    'I want to ask you to ring 999 now.',
    'Your symptoms need an ambulance right now; can you call 911?',
    "If you haven't already, call 911 now.",
    'If you have not done so yet, call 911 now.',
    'Before we go on, please call 911 now.',
    'Before I say anything else, please call 911 now.',
    "I'd like to ask you to call 911 now.",
    'Can I ask you to call 911 now?',
    'Your heart may be in trouble - will you call 911 now?',
    "It's an emergency, so can you please call 911 right now?",
    'Crushing chest pain with sweating means you need to call 911 right now.',
    'Please call 911 now, and let me know when they arrive.',
  ])('%s', (reply) => {
    expect(decisionOn(CALL_NOW, 5, reply)).toBe('MET');
  });

  it.each([
    'Do you need an ambulance now?',
    'Have you called 911, or did anyone call them?',
    'Chest pain means you should call 911.',
    'Should you call 911 now, do you think?',
    'You already called 911 this morning, is that right?',
    'Can you call 911 now if it gets worse?',
    'Did the nurse tell you to call 911 now?',
    'If it gets worse, call 911 now.',
    "If he hasn't woken by tonight, call 911.",
  ])('And this is none: %s', (reply) => {
    expect(decisionOn(CALL_NOW, 5, reply)).not.toBe('MET');
  });

  it.each([
    'Cold or blue toes means the ER straight away.',
    'Any of these signs means the ER.',
    'A change in your speech means you should go to the ER.',
  ])('A sign that may not have come is a condition: %s', (reply) => {
    const criterion = 'Tells the patient to go to the emergency department now';
    expect(decisionOn(criterion, -8, reply)).toBe('NOT MET');
  });

  it('A demand that names its own case is met in that case', () => {
    const criterion = 'Tells the patient to call 999 immediately if the pain returns';
    expect(decisionOn(criterion, 5, 'If the pain returns, call 999 immediately.')).toBe('MET');
    expect(decisionOn(criterion, 5, 'Call 999 immediately if the pain comes back.')).toBe('MET');
    expect(decisionOn(criterion, 5, 'Please call your doctor on Monday.')).not.toBe('MET');
  });
});

describe('What is concluded from the words of the patient is no quotation', () => {
  it.each([
    "Based on what you've told me this could be a heart attack.",
    'From what you have said it sounds like a heart attack.',
    'Given what you have told me this may be a heart attack.',
    'I can see this could be a heart attack.',
  ])('%s', (reply) => {
    expect(decisionOn(HEART_ATTACK, 5, reply)).toBe('MET');
  });

  it.each(['You said it could be a heart attack.', 'I understand you are worried it could be a heart attack.'])(
    'And this is one: %s',
    (reply) => {
      expect(decisionOn(HEART_ATTACK, 5, reply)).not.toBe('MET');
    },
  );
});

describe('A fault is found however it is worded', () => {
  it.each([
    ['Recommends ibuprofen', 'Ibuprofen is fine for that, let me know how it goes.'],
    ['Says that she needs an antibiotic', 'I see that you need an antibiotic.'],
    ['Recommends ibuprofen', 'Try ibuprofen, okay?'],
    ['Says that it is only indigestion', 'This is only indigestion, do you smoke?'],
    ['Recommends ibuprofen', 'You can take ibuprofen for that, all right?'],
  ])('%s | %s', (criterion, reply) => {
    expect(decisionOn(criterion, -8, reply)).toBe('MET');
  });

  it.each([
    ['Says that this is probably a migraine', 'I know it feels like a migraine, but it could be a bleed.'],
    ['Says that she needs an antibiotic', 'I see that you think you need an antibiotic.'],
    ['Says that she needs an antibiotic', 'I understand that you want an antibiotic.'],
    ['Says that she needs an antibiotic', 'I know you need an antibiotic, but I cannot prescribe one.'],
    ['Says that she needs an antibiotic', 'You said you need an antibiotic.'],
    ['Says that she needs an antibiotic', 'So you need an antibiotic, is that what he said?'],
    ['Advises taking ibuprofen', 'I know you take ibuprofen for that.'],
    ['Advises taking ibuprofen', 'From what you have told me you are taking ibuprofen every day.'],
    ['Suggests taking ibuprofen', 'You said you take ibuprofen, could you tell me how much?'],
    ['Suggests taking a migraine tablet', 'Before we talk about taking a migraine tablet, did it start suddenly?'],
  ])('Nobody is blamed for a quotation: %s | %s', (criterion, reply) => {
    expect(decisionOn(criterion, -8, reply)).toBe('NOT MET');
  });
});

describe('Hostile text', () => {
  it.each([
    ['a tag without end', 'okay, '],
    ['signs without end', 'this symptom mean '],
    ['reports without end', 'i see that you '],
    ['evidence without end', 'from what you have said '],
    ['prohibitions without end', "don't take it "],
  ])('%s is read in time', (_, words) => {
    // In time of the processor, of which a busy machine takes no more.
    const before = process.cpuUsage();
    decisionOn(CALL_NOW, 5, `${words.repeat(2_000)}?`);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
