/**
 * SQL for the points and tags of a rubric's criteria, in their order: `[[points, tags], …]` as JSON. Written beside a copy of the rubric, which
 * is long.
 * @param rubric SQL of the rubric, as JSON
 */
export function rubricKindsOf(rubric: string): string {
  return `COALESCE((
    SELECT json_agg(json_build_array(criterion->'points', criterion->'tags') ORDER BY place)::text
    FROM json_array_elements(${rubric}) WITH ORDINALITY AS marked (criterion, place)
  ), '[]')`;
}
