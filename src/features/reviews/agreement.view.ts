import { DECISIONS } from '../../domain';
import type { Agreement, Measure } from '../../domain/statistics';
import { reason, type AgreementView } from '../../../contract/agreement';

export function betweenRatersView(agreement: Agreement) {
  return {
    pairs: agreement.pairs,
    confusion: { decisions: [...DECISIONS], counts: agreement.confusion.map((row) => [...row]) },
    raw: inPercent(agreement.raw),
    kappa: measureView(agreement.kappa),
    ac1: measureView(agreement.ac1),
    macro_f1: measureView(agreement.macroF1),
  };
}

export function withJudgeView(agreement: Agreement): AgreementView['with_judge'] {
  return {
    ...betweenRatersView(agreement),
    faults: agreement.faults,
    sensitivity: inPercent(agreement.sensitivity),
    specificity: inPercent(agreement.specificity),
  };
}

function measureView({ value, low, high, reason: why }: Measure) {
  return { value, low, high, reason: why };
}

function inPercent({ value, low, high, reason: why }: Measure) {
  const percent = (share: number | null) => (share === null ? null : share * 100);
  return { value: percent(value), low: percent(low), high: percent(high), reason: why };
}
