import { Field } from '../parts/field';

const MOST_REPEATS = 5;
/** The fewest repeats that show whether the judge repeats its marks, in the same order and in another. */
export const USUAL_REPEATS = 3;

interface Props {
  /** How many transcripts there are; 0 where that is not known yet. */
  readonly of: number;
  readonly repeats: number;
  readonly onChange: (repeats: number) => void;
}

/** How often the judge marks each transcript. */
export function Repeats({ of, repeats, onChange }: Props) {
  const examinations = of === 0 ? '' : `${of * repeats} examinations. `;
  return (
    <Field
      label="Times each consultation is marked"
      help={`${examinations}Three or more show whether the judge says the same again, in the same order and in another. A language model charges for each.`}
    >
      {(control) => (
        <select {...control} value={repeats} onChange={({ target }) => onChange(Number(target.value))}>
          {Array.from({ length: MOST_REPEATS }, (_, place) => place + 1).map((times) => (
            <option key={times} value={times}>
              {times}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
