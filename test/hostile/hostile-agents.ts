import type { FakeMessage } from '../fakes/fake-agent';
import { GOOD_REPLY } from '../setup/examination';
import { sendJson, startHttpStub, type HttpStub, type Step } from '../fakes/http-stub';
import type { HostileAnswer } from './hostile-answer';
import type { HostileText } from './hostile-text';

/** So long a reply is said once in a conversation, and alone; a shorter one twice, or others after it: the patient has to answer each. */
export const SAID_ONCE = 200_000;

/** The words by which the agent of a scenario knows which text is its own. */
export function complaintOf(number: number): string {
  return `This is case ${number} and I feel ill.`;
}

type Reply = (messages: readonly FakeMessage[]) => string;

/** Replies with the text of the case that the patient opened with, then as a careful agent would. */
export function hostileReply(texts: readonly HostileText[]): Reply {
  return (messages) => {
    const { turn, text } = caseIn(messages, texts);
    const isHostile = turn === 1 || (turn === 2 && text.length <= SAID_ONCE);
    return isHostile ? text : GOOD_REPLY;
  };
}

/** Replies with the texts of the case that the patient opened with, one a turn, then as a careful agent would. */
export function hostileReplies(cases: readonly (readonly HostileText[])[]): Reply {
  return (messages) => {
    const { number, turn } = turnIn(messages);
    return cases[number]?.[turn - 1]?.text ?? GOOD_REPLY;
  };
}

/** The same as of one text, of a page that is lost once it has shown such a text. */
export function hostileOnce(texts: readonly HostileText[]): Reply {
  return (messages) => {
    const { turn, text } = caseIn(messages, texts);
    return turn === 1 ? text : GOOD_REPLY;
  };
}

function caseIn(messages: readonly FakeMessage[], texts: readonly HostileText[]): { turn: number; text: string } {
  const { number, turn } = turnIn(messages);
  return { turn, text: texts[number]?.text ?? '' };
}

function turnIn(messages: readonly FakeMessage[]): { turn: number; number: number } {
  const patient = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  return { turn: patient.length, number: Number(/\bcase (\d+)\b/.exec(patient[0] ?? '')?.[1]) };
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
