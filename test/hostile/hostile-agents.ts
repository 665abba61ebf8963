import type { FakeMessage } from '../fakes/fake-agent';
import { GOOD_REPLY } from '../setup/examination';
import { sendJson, startHttpStub, type HttpStub, type Step } from '../fakes/http-stub';
import type { HostileAnswer } from './hostile-answer';
import type { HostileText } from './hostile-text';

/** So long a reply is said once in a conversation, a shorter one twice: the patient has to answer it, too. */
const SAID_ONCE = 200_000;

/** The words by which the agent of a scenario knows which text is its own. */
export function complaintOf(number: number): string {
  return `This is case ${number} and I feel ill.`;
}

/** Replies with the text of the case that the patient opened with, then as a careful agent would. */
export function hostileReply(texts: readonly HostileText[]): (messages: readonly FakeMessage[]) => string {
  return (messages) => {
    const patient = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    const number = Number(/\bcase (\d+)\b/.exec(patient[0] ?? '')?.[1]);
    const text = texts[number]?.text ?? '';
    const isHostile = patient.length === 1 || (patient.length === 2 && text.length <= SAID_ONCE);
    return isHostile ? text : GOOD_REPLY;
  };
}

/** A server that gives one hostile answer after the other, to whatever it is asked. */
export function startHostileServer(answers: readonly HostileAnswer[]): Promise<HttpStub> {
  return startInTurn(answers.map(({ step }) => step));
}

/** A server whose JSON holds one hostile text after the other. */
export function startJsonServer(texts: readonly HostileText[], body: (text: string) => object): Promise<HttpStub> {
  return startInTurn(
    texts.map(
      ({ text }) =>
        (response) =>
          sendJson(response, 200, body(text)),
    ),
  );
}

function startInTurn(steps: readonly Step[]): Promise<HttpStub> {
  let count = 0;
  const answer: Step = (response, request) => {
    const step = steps[count % steps.length];
    count += 1;
    step?.(response, request);
  };
  return startHttpStub(answer, { record: false });
}
