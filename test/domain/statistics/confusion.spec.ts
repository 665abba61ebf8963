import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cohensKappa,
  gwetsAc1,
  macroF1,
  ratedIn,
  rawAgreement,
  shareFound,
} from '../../../src/domain/statistics/confusion';

interface Independent {
  readonly tables: readonly {
    readonly table: readonly (readonly number[])[];
    readonly raw: number;
    readonly kappa: number | null;
    readonly ac1: number | null;
    readonly macro_f1: number | null;
    readonly sensitivity: number | null;
    readonly specificity: number | null;
  }[];
}

/** What statsmodels, scikit-learn and irrCAC say, made by make-agreement.py beside it, which names their versions. */
const independent: Independent = JSON.parse(readFileSync(join(__dirname, 'agreement.json'), 'utf8'));

const [MET, PARTLY, NOT_MET] = [0, 1, 2];

describe('coefficients of agreement', () => {
  test('are those of statsmodels, scikit-learn and irrCAC for 200 random tables', () => {
    expect(independent.tables).toHaveLength(200);
    for (const { table, ...wanted } of independent.tables) {
      const cells = table.flat();
      const found = {
        raw: rawAgreement(cells).value,
        kappa: cohensKappa(cells).value,
        ac1: gwetsAc1(cells).value,
        macro_f1: macroF1(cells, [MET, NOT_MET]).value,
        sensitivity: shareFound(cells, [MET, PARTLY], 'none').value,
        specificity: shareFound(cells, [NOT_MET], 'none').value,
      };
      const rounded = (values: object) =>
        Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? value.toFixed(9) : value]);
      expect({ table, found: rounded(found) }).toEqual({ table, found: rounded(wanted) });
    }
  });

  test('the tables have every kind of doubt: κ undefined, κ low where raw agreement is high, decisions never given', () => {
    const among = (is: (one: Independent['tables'][number]) => boolean) => independent.tables.filter(is).length;
    expect(among(({ kappa }) => kappa === null)).toBeGreaterThan(10);
    expect(among(({ raw, kappa }) => raw > 0.8 && kappa !== null && kappa < 0.2)).toBeGreaterThan(3);
    expect(among(({ macro_f1 }) => macro_f1 === null)).toBeGreaterThan(10);
    expect(among(({ sensitivity }) => sensitivity === null)).toBeGreaterThan(10);
    expect(among(({ specificity }) => specificity === null)).toBeGreaterThan(10);
  });

  test.each([
    ['Cohen (1960), diagnoses of two psychiatrists', [88, 14, 18, 10, 40, 10, 2, 6, 12], { kappa: 0.492 }],
    ['Feinstein and Cicchetti (1990), even margins', [40, 9, 6, 45], { kappa: 0.7 }],
    ['Feinstein and Cicchetti (1990), uneven margins with the same agreement', [80, 10, 5, 5], { kappa: 0.32 }],
    ['Gwet (2002), high agreement on one category', [118, 5, 2, 0], { kappa: -0.0234, ac1: 0.9408 }],
    [
      'Landis and Koch (1977), multiple sclerosis in Winnipeg',
      [38, 5, 0, 1, 33, 11, 3, 0, 10, 14, 5, 6, 3, 7, 3, 10],
      { kappa: 0.208 },
    ],
  ])('are as published: %s', (_source, cells, wanted: { kappa: number; ac1?: number }) => {
    const decimals = String(wanted.kappa).split('.')[1]?.length ?? 0;
    expect(cohensKappa(cells).value?.toFixed(decimals)).toBe(wanted.kappa.toFixed(decimals));
    if (wanted.ac1 !== undefined) expect(gwetsAc1(cells).value).toBeCloseTo(wanted.ac1, 4);
  });

  test('what is not defined is null with the reason, and never a number', () => {
    const alike = [7, 0, 0, 0, 0, 0, 0, 0, 0];
    expect(cohensKappa(alike)).toEqual({
      value: null,
      reason: 'Both gave one and the same decision throughout: κ divides by nothing.',
    });
    expect(gwetsAc1(alike)).toEqual({ value: 1, reason: null });
    expect(macroF1(alike, [MET, NOT_MET])).toMatchObject({ value: null, reason: expect.stringContaining('Neither') });
    for (const coefficient of [rawAgreement, cohensKappa, gwetsAc1]) {
      expect(coefficient([0, 0, 0, 0, 0, 0, 0, 0, 0])).toEqual({ value: null, reason: 'Nothing was rated by both.' });
    }
  });

  test('a share that was found is undefined for the reason of its caller', () => {
    expect(shareFound([0, 0, 3, 1], [MET], 'No fault.')).toEqual({ value: null, reason: 'No fault.' });
    expect(shareFound([3, 1, 0, 0], [MET], 'No fault.')).toEqual({ value: 0.75, reason: null });
  });

  test('how many things were rated is the sum of all cells', () => {
    expect(ratedIn([1, 2, 3, 4])).toBe(10);
  });
});
